import * as Effect from "effect/Effect"
import { steadyMs } from "../steadyMs.ts"
import type { SharedTransaction } from "./sharedTransaction.ts"
import type { Member } from "./Member.ts"
import { makeQueue } from "./queue.ts"

/** A lone write that takes longer, as one does that waits for a lock, is no reason for others to wait. */
export const laneMs = 100

export interface Lanes {
  readonly join: (member: Member) => void
  /** Whether it was still waiting, and now is gone. */
  readonly leave: (member: Member) => boolean
}

/**
 * Who shares with whom: a write that meets a free lane runs alone and waits for nobody; what arrives while
 * all lanes are taken goes together when one is free. The writes of one subject follow each other.
 */
export const makeLanes = (
  lanesMax: number,
  share: (members: ReadonlyArray<Member>) => Effect.Effect<SharedTransaction>,
  run: (effect: Effect.Effect<void>) => void
): Lanes => {
  const queue = makeQueue()
  /** What ends each lone lane early, and when it was taken. */
  const lone = new Map<() => void, number>()
  let taken = 0
  let relief: ReturnType<typeof setTimeout> | undefined

  const lane = (): (() => void) => {
    taken += 1
    let isFree = false
    return () => {
      if (isFree) return
      isFree = true
      taken -= 1
    }
  }

  const goAlone = (member: Member): void => {
    const free = lane()
    lone.set(free, steadyMs())
    member.end({
      _tag: "Alone",
      done: () => {
        lone.delete(free)
        free()
        released(member)
      }
    })
  }

  const goTogether = (members: ReadonlyArray<Member>): void => {
    const free = lane()
    const over = ({ endings, odd }: SharedTransaction): void => {
      if (odd !== undefined) queue.keepApart(odd)
      free()
      members.forEach((member, nth) => {
        const ending = endings[nth]
        if (ending === undefined || ending._tag === "RolledBack") {
          return member.end({ _tag: "Alone", done: () => released(member) })
        }
        queue.release(member)
        member.end(ending)
      })
      pump()
    }
    run(Effect.map(share(members), over))
  }

  const released = (member: Member): void => {
    queue.release(member)
    pump()
  }

  const pump = (): void => {
    while (taken < lanesMax) {
      const [first, ...others] = queue.next()
      if (first === undefined) return
      if (others.length === 0) goAlone(first)
      else goTogether([first, ...others])
    }
    if (queue.size() > 0 && relief === undefined) relief = setTimeout(relieve, laneMs)
  }

  const relieve = (): void => {
    relief = undefined
    for (const [free, takenMs] of lone) {
      if (steadyMs() - takenMs < laneMs) continue
      lone.delete(free)
      free()
    }
    pump()
  }

  return {
    join: (member) => {
      queue.add(member)
      pump()
    },
    leave: queue.remove
  }
}
