import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Law } from "../kit/Law.ts"

declare module "vitest" {
  interface TaskMeta {
    /** The law that noticed the mutant; null: none did. */
    killedBy?: string | null
    /** How many laws the suite has, once each of them has noticed a mutant. */
    lawsThatKill?: number
  }
}

/** Something with one planted mistake. */
export interface Mutant<Planted> {
  readonly says: string
  /** The law that must notice it, where another's noticing would prove nothing; otherwise any may. */
  readonly kills?: string
  readonly planted: Planted
}

/** Laws, the mutants they must notice, and how to tell whether a law holds. */
export interface Trial<Planted> {
  readonly of: string
  readonly laws: ReadonlyArray<string>
  readonly mutants: ReadonlyArray<Mutant<Planted>>
  /** Without a mistake: a law that fails for this too proves nothing. */
  readonly sound: Planted
  readonly holds: (law: string, planted: Planted) => Effect.Effect<boolean>
}

/**
 * Every mutant is noticed by a law and every law notices a mutant. Laws that have noticed none yet are tried
 * first, and no further law is once one has noticed, so that a trial takes little more than one law a mutant.
 */
export const trial = <Planted>({ of, laws, mutants, sound, holds }: Trial<Planted>): void => {
  const killers = new Set<string>()
  const breaks = (law: string, planted: Planted) => Effect.map(holds(law, planted), (held) => !held)
  const killerOf = Effect.fnUntraced(function* ({ kills, planted }: Mutant<Planted>) {
    const idle = laws.filter((law) => !killers.has(law))
    const tried = kills === undefined ? new Set([...idle, ...laws]) : [kills]
    for (const law of tried) if (yield* breaks(law, planted)) return law
    return undefined
  })
  const isKiller = Effect.fnUntraced(function* (law: string) {
    for (const { planted } of mutants) if (yield* breaks(law, planted)) return true
    return false
  })

  // Laws look for mistakes that nobody planted with other histories in every run. Whether they notice a
  // planted one is asked of the same histories each time, so that the answer does not change by itself.
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: trialSeed })

  describe(`the laws of ${of} notice that it`, () => {
    for (const mutant of mutants) {
      it(
        mutant.says,
        async ({ task }) => {
          if (mutant.kills !== undefined) expect(laws).toContain(mutant.kills)
          const law = await Effect.runPromise(killerOf(mutant))
          task.meta.killedBy = law ?? null
          if (law !== undefined) killers.add(law)
          expect(law, "no law noticed").toBeDefined()
        },
        trialMsMax
      )
    }

    it(
      "is wrong in any way: each law noticed one of these, and none if nothing is wrong",
      async ({ task }) => {
        const idle = laws.filter((law) => !killers.has(law))
        const broken = await Effect.runPromise(Effect.filter(laws, (law) => breaks(law, sound)))
        expect(broken.join("\n"), "laws that fail though nothing is wrong").toBe("")
        const noticing = await Effect.runPromise(Effect.filter(idle, isKiller))
        const blind = idle.filter((law) => !noticing.includes(law))
        expect(blind.join("\n"), "laws that notice none").toBe("")
        task.meta.lawsThatKill = laws.length
      },
      trialMsMax
    )
  })
}

/** A trial whose laws are those of ports, and whose planted things are adapters. */
export const lawsTrial = <R>(given: {
  readonly of: string
  readonly laws: ReadonlyArray<Law<R | Scope.Scope>>
  readonly mutants: ReadonlyArray<Mutant<Layer.Layer<R, unknown>>>
  readonly sound: Layer.Layer<R, unknown>
  /** A law that a mutant makes wait for ever is broken too; milliseconds of real time. */
  readonly lawMsMax?: number
}): void =>
  trial({
    ...given,
    laws: given.laws.map(({ says }) => says),
    holds: (says, planted) => {
      const law = given.laws.find((each) => each.says === says)
      if (law === undefined) return Effect.succeed(false)
      const checked = Effect.scoped(Effect.provide(law.check, Layer.fresh(planted)))
      return Effect.map(Effect.exit(inRealTime(checked, given.lawMsMax ?? trialMsMax)), Exit.isSuccess)
    }
  })

const trialSeed = 1

/** Slower than any trial on a machine that is busy. */
const trialMsMax = 120_000

/** Under the clock that the laws move, Effect's own timeout would not tell. */
const inRealTime = <A, E, R>(check: Effect.Effect<A, E, R>, ms: number) =>
  Effect.raceFirst(
    check,
    Effect.callback<never, "waits for ever">((resume) => {
      const timer = setTimeout(() => resume(Effect.fail("waits for ever")), ms)
      return Effect.sync(() => clearTimeout(timer))
    })
  )
