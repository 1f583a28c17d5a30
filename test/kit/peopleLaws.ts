import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import { Mailbox } from "../../adapters/memory/Mail.ts"
import { People } from "../../core/port/People.ts"
import type { Law } from "./Law.ts"
import {
  accountForm,
  requestAccount,
  Calendar,
  cookieIn,
  find,
  freshEmail,
  signUpPerson,
  emailsTo,
  signIn
} from "./people.ts"
import { resetLaws } from "./peopleResetLaws.ts"

const dayMs = 86_400_000

/** What every store of people keeps (core/port/People.ts). */
export const peopleLaws: ReadonlyArray<Law<People | Mailbox | Calendar>> = [
  {
    says: "law 1, law 2: the link of the email makes an account and signs in, with a session of its own",
    check: Effect.gen(function* () {
      const email = freshEmail()
      const { cookie, person } = yield* signUpPerson(email)
      assert.deepEqual([person.email, person.name], [email, "Ada Example"])
      assert.deepEqual(yield* find(cookie), person)
      assert.ok(person.personId.length <= 64)
    })
  },
  {
    says: "law 1: the link contains the path to continue at",
    check: Effect.gen(function* () {
      const email = freshEmail()
      yield* (yield* People).signUp({ email, next: "/invitations/x?y=1&z" })
      const { text } = yield* (yield* Mailbox).next(email, 0)
      assert.match(
        text,
        /^http:\/\/localhost:3000\/verify\?token=\w{43}&next=%2Finvitations%2Fx%3Fy%3D1%26z$/m
      )
    })
  },
  {
    says: "law 2: signIn returns Wrong until the link is opened, as for an unknown email",
    check: Effect.gen(function* () {
      const email = freshEmail()
      yield* requestAccount(email)
      assert.deepEqual(yield* signIn({ email }), { _tag: "Wrong" })
      assert.deepEqual(yield* signIn({ email: freshEmail() }), { _tag: "Wrong" })
    })
  },
  {
    says: "law 2: a link works once, also if two requests open it at the same time",
    check: Effect.gen(function* () {
      const { verify } = yield* People
      const token = yield* requestAccount(freshEmail())
      const opened = verify(accountForm(token))
      const both = yield* Effect.all([opened, opened], { concurrency: "unbounded" })
      assert.deepEqual(both.map(({ _tag }) => _tag).toSorted(), ["LinkEnded", "SignedIn"])
      assert.equal((yield* verify(accountForm(token)))._tag, "LinkEnded")
      assert.equal((yield* verify(accountForm("never given")))._tag, "LinkEnded")
    })
  },
  {
    says: "law 2: a link works for a day",
    check: Effect.gen(function* () {
      const { pass } = yield* Calendar
      const { verify } = yield* People
      const [late, early] = [yield* requestAccount(freshEmail()), yield* requestAccount(freshEmail())]
      yield* pass(dayMs - 60_000)
      assert.equal((yield* verify(accountForm(early)))._tag, "SignedIn")
      yield* pass(60_001)
      assert.equal((yield* verify(accountForm(late)))._tag, "LinkEnded")
    })
  },
  {
    says: "law 1: a sign-up with a known address emails its owner only, and changes nothing",
    check: Effect.gen(function* () {
      const email = freshEmail()
      yield* signUpPerson(email)
      const before = yield* emailsTo(email)
      yield* (yield* People).signUp({ email, next: null })
      const message = yield* (yield* Mailbox).next(email, before)
      assert.match(message.subject, /account already/)
      assert.doesNotMatch(message.text, /token=/)
      assert.equal((yield* signIn({ email }))._tag, "SignedIn")
    })
  },
  {
    says: "law 2: whoever requested the email, its reader chooses the password, and the other links end",
    check: Effect.gen(function* () {
      const email = freshEmail()
      const requestedByStranger = yield* requestAccount(email)
      const own = yield* requestAccount(email)
      const { verify } = yield* People
      assert.equal((yield* verify(accountForm(requestedByStranger)))._tag, "SignedIn")
      const again = accountForm(own, { password: "another one, of Mallory's" })
      assert.equal((yield* verify(again))._tag, "LinkEnded")
      assert.equal((yield* signIn({ email, password: again.password }))._tag, "Wrong")
      assert.equal((yield* signIn({ email }))._tag, "SignedIn")
    })
  },
  {
    says: "law 3: signing in makes a new session and closes the one whose cookie was sent",
    check: Effect.gen(function* () {
      const email = freshEmail()
      const { cookie, person } = yield* signUpPerson(email)
      const said = yield* signIn({ email: email.toUpperCase(), cookie })
      assert.ok(said._tag === "SignedIn")
      const next = cookieIn(said.cookies)
      assert.notEqual(next, cookie)
      assert.deepEqual(yield* find(next), person)
      assert.equal(yield* find(cookie), undefined)
    })
  },
  {
    says: "law 3: signing out closes the session and takes the cookie away",
    check: Effect.gen(function* () {
      const email = freshEmail()
      const { cookie } = yield* signUpPerson(email)
      const other = yield* signIn({ email })
      assert.ok(other._tag === "SignedIn")
      const { cookies } = yield* (yield* People).signOut(cookie)
      assert.match(cookies.join("\n"), /^coverage_session=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/)
      assert.equal(yield* find(cookie), undefined)
      assert.notEqual(yield* find(cookieIn(other.cookies)), undefined)
      yield* (yield* People).signOut(null)
    })
  },
  {
    says: "law 3: a session ends after 30 days, however often it is used",
    check: Effect.gen(function* () {
      const { pass } = yield* Calendar
      const { cookie } = yield* signUpPerson()
      yield* pass(29 * dayMs)
      assert.notEqual(yield* find(cookie), undefined)
      yield* pass(dayMs + 1_000)
      assert.equal(yield* find(cookie), undefined)
    })
  },
  {
    says: "law 3: nothing but the cookie itself finds a session: no other signature, no token alone",
    check: Effect.gen(function* () {
      const { cookie } = yield* signUpPerson()
      const [name = "", value = ""] = cookie.split("=", 2)
      const [token = ""] = decodeURIComponent(value).split(".")
      const forged = [
        `${name}=${token}`,
        `${name}=${token}.`,
        `${name}=${encodeURIComponent(`${token}.${"A".repeat(43)}=`)}`,
        `${name}=%E0%A4%A`,
        `other_session=${value}`,
        "",
        ";;;="
      ]
      for (const one of [null, ...forged]) assert.equal(yield* find(one), undefined)
      assert.notEqual(yield* find(`theme=dark; ${cookie}; other=1`), undefined)
    })
  },
  {
    says: "law 2: a name or password that is not accepted is reported, and the link still works",
    check: Effect.gen(function* () {
      const { verify } = yield* People
      const email = freshEmail()
      const token = yield* requestAccount(email)
      const bad = [
        [{ name: " \n " }, "name", "required"],
        [{ name: "x".repeat(101) }, "name", "too_long"],
        [{ password: "x".repeat(11) }, "password", "too_short"],
        [{ password: "x".repeat(129) }, "password", "too_long"],
        [{ password: "x".repeat(12) }, "password", "repeated"],
        [{ password: email.toUpperCase() }, "password", "own_email"]
      ] as const
      for (const [change, field, code] of bad)
        assert.deepEqual(yield* verify(accountForm(token, change)), { _tag: "Form", field, code })
      const long = "four words make one".padEnd(128, " and more")
      assert.equal((yield* verify(accountForm(token, { password: long })))._tag, "SignedIn")
    })
  },
  ...resetLaws
]
