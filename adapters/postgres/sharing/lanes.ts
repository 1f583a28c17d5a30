import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Member } from "./Member.ts"

/** Statements of so many fit a connection's pipeline; more gain little and wait for each other longer. */
export const membersMax = 64

export interface Lanes {
  readonly join: (member: Member) => void
  /** Whether it was still waiting, and now is gone. */
  readonly leave: (member: Member) => boolean
}

/**
 * Who shares with whom: a write that meets a free lane runs alone and waits for nobody; what arrives while
 * all lanes are taken goes together when one is free, each subject once.
 */
export const makeLanes = (
  lanesMax: number,
  share: (members: ReadonlyArray<Member>) => Effect.Effect<void>,
  run: (effect: Effect.Effect<void>) => void
): Lanes => {
  const waiting = new Set<Member>()
  const busy = new Set<string>()
  let underWay = 0

  const next = (): ReadonlyArray<Member> => {
    const group: Array<Member> = []
    for (const member of waiting) {
      if (busy.has(member.subject)) continue
      busy.add(member.subject)
      waiting.delete(member)
      group.push(member)
      if (group.length === membersMax) break
    }
    // Locks are taken in one order by all who share, here and in other processes.
    return group.sort((one, other) => (one.subject < other.subject ? -1 : 1))
  }

  const pump = (): void => {
    while (underWay < lanesMax) {
      const group = next()
      const [first] = group
      if (first === undefined) return
      underWay += 1
      let isOver = false
      const done = (): void => {
        if (isOver) return
        isOver = true
        underWay -= 1
        for (const { subject } of group) busy.delete(subject)
        pump()
      }
      if (group.length === 1) Deferred.doneUnsafe(first.ended, Exit.succeed({ _tag: "Alone", done }))
      else run(Effect.ensuring(share(group), Effect.sync(done)))
    }
  }

  return {
    join: (member) => {
      waiting.add(member)
      pump()
    },
    leave: (member) => waiting.delete(member)
  }
}
