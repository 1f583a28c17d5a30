import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import { Mailbox } from "../../adapters/memory/Mail.ts"
import { People } from "../../core/port/People.ts"
import type { Law } from "./Law.ts"
import type { Calendar as CalendarOf } from "./people.ts"
import { Calendar, cookieIn, find, freshEmail, signUpPerson, emailsTo, signIn, tokenIn } from "./people.ts"

const hourMs = 3_600_000
const chosen = "a newly chosen one"

/** How a forgotten password is replaced (core/port/People.ts, laws 3 and 4). */
export const resetLaws: ReadonlyArray<Law<People | Mailbox | CalendarOf>> = [
  {
    says: "law 3, law 4: the token of the email sets another password once, and closes every session",
    check: Effect.gen(function* () {
      const email = freshEmail()
      const { cookie } = yield* signUpPerson(email)
      const other = yield* signIn({ email })
      assert.ok(other._tag === "SignedIn")
      const token = yield* resetToken(email)
      const { reset } = yield* People
      const both = yield* Effect.all(
        [reset({ token, password: chosen }), reset({ token, password: chosen })],
        {
          concurrency: "unbounded"
        }
      )
      assert.deepEqual(both.map(({ _tag }) => _tag).toSorted(), ["Done", "LinkEnded"])
      for (const one of [cookie, cookieIn(other.cookies)]) assert.equal(yield* find(one), undefined)
      assert.equal((yield* signIn({ email }))._tag, "Wrong")
      assert.equal((yield* signIn({ email, password: chosen }))._tag, "SignedIn")
    })
  },
  {
    says: "law 4: a reset ends the other links that were asked for",
    check: Effect.gen(function* () {
      const email = freshEmail()
      yield* signUpPerson(email)
      const [first, second] = [yield* resetToken(email), yield* resetToken(email)]
      const { reset } = yield* People
      assert.equal((yield* reset({ token: second, password: chosen }))._tag, "Done")
      assert.equal((yield* reset({ token: first, password: "of somebody else" }))._tag, "LinkEnded")
    })
  },
  {
    says: "law 2: a link to choose another password works for an hour",
    check: Effect.gen(function* () {
      const email = freshEmail()
      yield* signUpPerson(email)
      const token = yield* resetToken(email)
      yield* (yield* Calendar).pass(hourMs + 1_000)
      assert.equal((yield* (yield* People).reset({ token, password: chosen }))._tag, "LinkEnded")
    })
  },
  {
    says: "law 4: a password that is not taken spends no link, and a token that was never given sets nothing",
    check: Effect.gen(function* () {
      const email = freshEmail()
      yield* signUpPerson(email)
      const token = yield* resetToken(email)
      const { reset } = yield* People
      const fault = { _tag: "Form", field: "password", code: "too_short" }
      assert.deepEqual(yield* reset({ token, password: "short" }), fault)
      const own = yield* reset({ token, password: email })
      assert.deepEqual(own, { ...fault, code: "own_email" })
      assert.equal((yield* reset({ token: "x", password: chosen }))._tag, "LinkEnded")
      assert.equal((yield* reset({ token, password: chosen }))._tag, "Done")
    })
  },
  {
    says: "law 4: of an unknown address nothing is told, and no email goes out",
    check: Effect.gen(function* () {
      const { requestReset } = yield* People
      const [stranger, last] = [freshEmail(), freshEmail()]
      yield* signUpPerson(last)
      yield* requestReset(stranger)
      yield* requestReset("no address")
      yield* resetToken(last)
      assert.equal(yield* emailsTo(stranger), 0)
    })
  }
]

const resetToken = Effect.fnUntraced(function* (email: string) {
  const before = yield* emailsTo(email)
  yield* (yield* People).requestReset(email)
  return tokenIn((yield* (yield* Mailbox).next(email, before)).text)
})
