import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import { Notices, noticeEmailClaimMs, noticeEmailsMax } from "../../core/port/Notices.ts"
import type { Law } from "./Law.ts"
import type { NoticePorts } from "./notices.ts"
import { NoticesElsewhere, Staff } from "./notices.ts"
import { beganMs, everywhere, lettersOf, observeAll, organizationWith, useCredits } from "./noticeSubjects.ts"

/** What every store of emails keeps (core/port/NoticeEmails.ts). */
export const noticeEmailsLaws: ReadonlyArray<Law<NoticePorts | Staff | NoticesElsewhere>> = [
  {
    says: "law 8: an email that nobody settled is due again when its hand has held it too long",
    check: Effect.gen(function* () {
      const { organizationId } = yield* written(["owner"])
      const [first] = yield* lettersOf(organizationId)
      assert.equal(first?.attempts, 1)
      assert.deepEqual(yield* lettersOf(organizationId, beganMs + noticeEmailClaimMs - 1), [])
      const [second] = yield* lettersOf(organizationId, beganMs + noticeEmailClaimMs)
      assert.deepEqual([second?.emailId, second?.attempts], [first?.emailId, 2])
    })
  },
  {
    says: "law 8: a hand takes fifty, and many hands at once take each email once",
    check: Effect.gen(function* () {
      const elsewhere = yield* NoticesElsewhere
      const roles = Array.from({ length: noticeEmailsMax + 20 }, () => "owner" as const)
      const { organizationId } = yield* written(roles)
      const { takeEmails: take } = yield* Notices
      assert.equal((yield* take(beganMs)).length, noticeEmailsMax)
      const { organizationId: other } = yield* written(roles)
      const taken = (yield* everywhere(lettersOf(other), elsewhere, 4)).flat()
      assert.equal(taken.length, noticeEmailsMax + 20)
      assert.equal(new Set(taken.map(({ emailId }) => emailId)).size, noticeEmailsMax + 20)
      assert.equal(
        (yield* lettersOf(organizationId, beganMs + noticeEmailClaimMs)).length,
        noticeEmailsMax + 20
      )
    })
  },
  {
    says: "law 9: who no longer administers the organization is not written to any more",
    check: Effect.gen(function* () {
      const { leave } = yield* Staff
      const { organizationId, people } = yield* written(["owner", "admin"])
      const [owner, admin] = people
      assert.ok(owner !== undefined && admin !== undefined)
      yield* leave(organizationId, admin)
      assert.deepEqual(
        (yield* lettersOf(organizationId)).map(({ to }) => to),
        [owner.email]
      )
      const again = yield* lettersOf(organizationId, beganMs + noticeEmailClaimMs)
      assert.deepEqual(
        again.map(({ to }) => to),
        [owner.email]
      )
    })
  },
  {
    says: "law 10: an email that is settled is gone, or due at its time; a hand that is late changes nothing",
    check: Effect.gen(function* () {
      const { settleEmail: settle } = yield* Notices
      const { organizationId } = yield* written(["owner"])
      const [late] = yield* lettersOf(organizationId)
      assert.ok(late !== undefined)
      const [current] = yield* lettersOf(organizationId, beganMs + noticeEmailClaimMs)
      assert.ok(current !== undefined)
      yield* settle({ ...late, againAtMs: null })
      const againAtMs = beganMs + 2 * noticeEmailClaimMs
      yield* settle({ ...current, againAtMs })
      assert.deepEqual(yield* lettersOf(organizationId, againAtMs - 1), [])
      const [last] = yield* lettersOf(organizationId, againAtMs)
      assert.equal(last?.attempts, 3)
      yield* settle({ ...last, againAtMs: null })
      assert.deepEqual(yield* lettersOf(organizationId, beganMs + 365 * 86_400_000), [])
    })
  },
  {
    says: "law 11: another process gives the emails of one that is gone",
    check: Effect.gen(function* () {
      const elsewhere = yield* NoticesElsewhere
      const { organizationId, people } = yield* written(["owner"])
      const emails = yield* Effect.provide(lettersOf(organizationId), elsewhere)
      assert.deepEqual(
        emails.map(({ to }) => to),
        people.map(({ email }) => email)
      )
    })
  }
]

/** An organization that has come to a notice, with its emails waiting and nobody else's. */
const written = Effect.fnUntraced(function* (roles: ReadonlyArray<"owner" | "admin">) {
  yield* lettersOf(null)
  const subject = yield* organizationWith("build", roles)
  yield* useCredits(subject.organizationId, 80_100)
  yield* observeAll()
  return subject
})
