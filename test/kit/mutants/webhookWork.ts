import * as Effect from "effect/Effect"
import type { Attempts } from "../../../core/port/Attempts.ts"
import type { Jobs } from "../../../core/port/Jobs.ts"
import { beside } from "./webhookStores.ts"
import type { MutantPort } from "./webhookStores.ts"

export const attemptsMutants: ReadonlyArray<MutantPort<Attempts["Service"]>> = [
  {
    says: "believes any turn",
    spoil: ({ due }) => ({
      due: ({ deliveryId, turn }) =>
        Effect.flatMap(due({ deliveryId, turn }), (found) =>
          found === undefined ? due({ deliveryId, turn: turn - 1 }) : Effect.succeed(found)
        )
    })
  },
  {
    says: "has every organization on Scale",
    spoil: ({ due }) => ({
      due: (turn) => Effect.map(due(turn), (found) => found && { ...found, hasWebhooks: true })
    })
  },
  {
    says: "takes the sandbox for the live surface",
    spoil: ({ due }) => ({
      due: (turn) => Effect.map(due(turn), (found) => found && { ...found, surface: "live" as const })
    })
  },
  {
    says: "settles in whatever turn",
    spoil: ({ settle, due }) => ({
      settle: (made) =>
        Effect.gen(function* () {
          for (const turn of [made.turn, made.turn + 1, made.turn + 2])
            if ((yield* due({ deliveryId: made.deliveryId, turn })) !== undefined)
              return yield* settle({ ...made, turn })
          return yield* settle(made)
        })
    })
  },
  {
    says: "forgets an attempt whose turn has passed",
    spoil: ({ settle, due }) => ({
      settle: (made) =>
        Effect.flatMap(due(made), (found) => (found === undefined ? Effect.undefined : settle(made)))
    })
  },
  {
    says: "retries at once",
    spoil: ({ settle }) => ({
      settle: (made) =>
        settle({ ...made, policy: { ...made.policy, gapsMs: made.policy.gapsMs.map(() => 0) } })
    })
  },
  { says: "puts nothing off", spoil: () => ({ defer: () => Effect.void }) },
  {
    says: "puts off for no time",
    spoil: ({ defer }) => ({ defer: (turn) => defer({ ...turn, nowMs: turn.atMs }) })
  },
  {
    says: "resumes one batch and says that is all",
    spoil: ({ resume }) => ({ resume: (input) => Effect.as(resume(input), null) })
  },
  { says: "rescues nothing", spoil: () => ({ rescue: () => Effect.succeed(0) }) },
  { says: "rescues a millisecond early", spoil: ({ rescue }) => ({ rescue: (nowMs) => rescue(nowMs + 1) }) },
  { says: "forgets nothing", spoil: () => ({ forget: () => Effect.succeed(0) }) },
  { says: "forgets a day early", spoil: ({ forget }) => ({ forget: (nowMs) => forget(nowMs + 86_400_000) }) },
  {
    says: "remembers what was due",
    spoil: ({ due }) => {
      const known = new Map<string, Effect.Success<ReturnType<typeof due>>>()
      return {
        due: (turn) =>
          Effect.suspend(() => {
            const name = `${turn.deliveryId} ${turn.turn}`
            const kept = known.get(name)
            if (kept !== undefined) return Effect.succeed(kept)
            return Effect.tap(due(turn), (found) => Effect.sync(() => known.set(name, found)))
          })
      }
    }
  }
]

export const jobsMutants: ReadonlyArray<MutantPort<Jobs["Service"]>> = [
  {
    says: "offers beside the write",
    spoil: ({ offer }) => ({
      offer: (offers) => beside(offer(offers))
    })
  },
  {
    says: "loses an offer in two",
    spoil: ({ offer }) => ({ offer: (offers) => offer(offers.filter((_, nth) => nth % 2 === 0)) })
  },
  {
    says: "offers under another name each time",
    spoil: ({ offer }) => {
      let nth = 0
      return {
        offer: (offers) =>
          offer(
            offers.map((each) => ({
              ...each,
              job:
                each.job._tag === "Deliver" ? { ...each.job, turn: each.job.turn + 1_000 * nth++ } : each.job
            }))
          )
      }
    }
  },
  {
    says: "takes work that failed for done",
    spoil: ({ run }) => ({ run: (work) => run((job) => outside(work(job))) })
  },
  {
    says: "takes work that was interrupted for done",
    spoil: ({ run }) => ({
      run: (work) =>
        run((job) =>
          Effect.onInterrupt(
            Effect.uninterruptible(Effect.asVoid(Effect.forkDetach(work(job)))),
            () => Effect.void
          )
        )
    })
  },
  {
    says: "does not wait for a delay",
    spoil: ({ offer }) => ({ offer: (offers) => offer(offers.map((each) => ({ ...each, delayMs: 0 }))) })
  },
  {
    says: "keeps an offer to itself for three seconds",
    spoil: ({ offer }) => ({
      offer: (offers) => offer(offers.map((each) => ({ ...each, delayMs: each.delayMs + 3_000 })))
    })
  },
  {
    says: "runs each job twice",
    spoil: ({ run }) => ({ run: (work) => run((job) => Effect.andThen(work(job), work(job))) })
  }
]

/** Done, whatever came of it. */
const outside = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.map(Effect.exit(effect), () => undefined)
