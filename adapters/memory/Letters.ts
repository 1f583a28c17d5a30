import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { DueLetter } from "../../core/port/Letters.ts"
import { letterHeldMs, Letters, lettersMax, LettersUnavailable } from "../../core/port/Letters.ts"
import { Members } from "../../core/port/Members.ts"
import type { WaitingLetter } from "./NoticeBook.ts"
import { isTold, NoticeBook } from "./NoticeBook.ts"

/** The letters of notices in the process. */
export const layer = Layer.effect(
  Letters,
  Effect.gen(function* () {
    const { letters, notices } = yield* NoticeBook
    const members = yield* Members
    /** Where a letter goes now; undefined: to nobody, since they left. */
    const addressOf = Effect.fnUntraced(function* ({ email, noticeId, personId }: WaitingLetter) {
      const organizationId = notices.get(noticeId)?.organizationId ?? null
      if (organizationId === null || personId === null) return email
      const list = yield* members.list(organizationId)
      return list.members.find(({ person, role }) => person.personId === personId && isTold(role))?.person
        .email
    })
    const given = Effect.fnUntraced(function* ([letterId, letter]: readonly [number, WaitingLetter]) {
      const [to, own] = [yield* addressOf(letter), notices.get(letter.noticeId)]
      if (to === undefined || own === undefined) {
        letters.delete(letterId)
        return []
      }
      const { personId: _, ...notice } = own
      return [{ letterId, attempts: letter.attempts, to, notice }]
    })
    const held = (nowMs: number) =>
      [...letters]
        .filter(([, { dueAtMs }]) => dueAtMs <= nowMs)
        .slice(0, lettersMax)
        .map(([letterId, letter]) => {
          const taken = { ...letter, attempts: letter.attempts + 1, dueAtMs: nowMs + letterHeldMs }
          letters.set(letterId, taken)
          return [letterId, taken] as const
        })
    return Letters.of({
      take: (nowMs) =>
        Effect.suspend(() => Effect.forEach(held(nowMs), given)).pipe(
          Effect.map((some): ReadonlyArray<DueLetter> => some.flat()),
          Effect.mapError(({ fault }) => new LettersUnavailable({ fault }))
        ),
      settle: ({ letterId, attempts, againAtMs }) =>
        Effect.sync(() => {
          const letter = letters.get(letterId)
          if (letter?.attempts !== attempts) return
          if (againAtMs === null) letters.delete(letterId)
          else letters.set(letterId, { ...letter, dueAtMs: againAtMs })
        })
    })
  })
)
