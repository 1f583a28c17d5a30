import assert from "node:assert/strict"
import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { describe } from "vitest"
import { Mailbox } from "../../adapters/memory/Mail.ts"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { requestReset, reset, signIn, signUp, verify } from "../../core/admin/people.ts"
import { mailboxHash, withAttemptLimits } from "../../core/admin/withAttemptLimits.ts"
import { Notices } from "../../core/port/Notices.ts"
import { cookieIn, device, emailsTo, freshEmail, goodPassword, tokenIn } from "../kit/people.ts"
import { postgresPeople } from "../stores/people.ts"

const noNotices = Layer.mock(Notices, { signedIn: () => Effect.succeed("known" as const) })

describe("Attempts of people", () => {
  layer(Layer.mergeAll(postgresPeople, MemoryLimits.layer, noNotices))(
    "with a clock that a test moves",
    (it) => {
      it.effect(
        "50 networks that fail to sign in never lock the owner out, from a new device or a known one",
        () =>
          Effect.gen(function* () {
            const email = freshEmail()
            const known = yield* signedUp(email)
            for (const network of networks)
              for (let tried = 0; tried < 11; tried++) {
                const attempt = { kind: "sign_in", origin: network, email } as const
                yield* withAttemptLimits(attempt, Effect.succeed({ _tag: "Wrong" } as const))
              }
            const form = { email, password: goodPassword }
            const fresh = yield* signIn({ ...form, cookie: null, device: from("198.51.100.1") })
            assert.equal(fresh._tag, "SignedIn")
            const again = yield* signIn({ ...form, cookie: known, device: from("198.51.100.1") })
            assert.equal(again._tag, "SignedIn")
          })
      )
      it.effect("a known device is not refused for what others try from its own network", () =>
        Effect.gen(function* () {
          const email = freshEmail()
          const cookie = yield* signedUp(email)
          const attempt = { kind: "sign_in", origin: "address:4:c0000209", email } as const
          for (let tried = 0; tried < 10; tried++) yield* withAttemptLimits(attempt, Effect.void)
          const form = { email, password: goodPassword, device: from("192.0.2.9") }
          assert.equal((yield* signIn({ ...form, cookie: null }))._tag, "Limited")
          assert.equal((yield* signIn({ ...form, cookie }))._tag, "SignedIn")
          assert.equal((yield* requestReset({ email, cookie, device: from("192.0.2.9") }))._tag, "Asked")
        })
      )
      it.effect(
        "the cookie of a known device counts for its own account only, and not once it is changed",
        () =>
          Effect.gen(function* () {
            const cookie = yield* signedUp(freshEmail())
            const other = freshEmail()
            const attempt = { kind: "sign_in", origin: "address:4:c000020a", email: other } as const
            for (let tried = 0; tried < 10; tried++) yield* withAttemptLimits(attempt, Effect.void)
            const form = { email: other, password: goodPassword, device: from("192.0.2.10") }
            const changed = cookie.replace(/(?<=coverage_device=)\d+/, (at) => String(Number(at) + 1))
            assert.notEqual(changed, cookie)
            for (const sent of [cookie, changed, "coverage_device=1.x", "coverage_device=", null])
              assert.equal((yield* signIn({ ...form, cookie: sent }))._tag, "Limited")
          })
      )
      it.effect("a known device that fails ten times in a minute waits too", () =>
        Effect.gen(function* () {
          const email = freshEmail()
          const cookie = yield* signedUp(email)
          const wrong = { email, password: "not the right one", cookie, device: from("192.0.2.11") }
          const origin = `known:${yield* mailboxHash(email)}`
          const attempt = { kind: "sign_in", origin, email } as const
          for (let tried = 0; tried < 9; tried++) yield* withAttemptLimits(attempt, Effect.void)
          assert.equal((yield* signIn(wrong))._tag, "Wrong")
          assert.equal((yield* signIn(wrong))._tag, "Limited")
        })
      )
      it.effect(
        "one IPv6 /64 has the attempts of one address at sign-in, sign-up, reset and their links",
        () =>
          Effect.gen(function* () {
            let counted = 0
            const next = (network: string) => from(`2001:db8:${network}::${(counted++).toString(16)}`)
            const email = freshEmail
            const attempts: Readonly<
              Record<string, (at: typeof device) => Effect.Effect<{ _tag: string }, unknown, Needs>>
            > = {
              a: (at) => signIn({ email: email(), password: "not the right one", cookie: null, device: at }),
              b: (at) => signUp({ email: email(), next: null, device: at }),
              c: (at) => requestReset({ email: email(), cookie: null, device: at }),
              d: (at) => verify({ token: "none", name: "Ada", password: goodPassword, device: at }),
              e: (at) => reset({ token: "none", password: goodPassword, device: at })
            }
            for (const [network, attempt] of Object.entries(attempts)) {
              for (let tried = 0; tried < 10; tried++)
                assert.notEqual((yield* attempt(next(`${network}:0`)))._tag, "Limited", network)
              assert.equal((yield* attempt(next(`${network}:0`)))._tag, "Limited", network)
              assert.notEqual((yield* attempt(next(`${network}:1`)))._tag, "Limited", network)
            }
          })
      )
      it.effect(
        "50 networks that request a reset send one email a minute, and its link works for the owner",
        () =>
          Effect.gen(function* () {
            const email = freshEmail()
            yield* signedUp(email)
            const before = yield* emailsTo(email)
            for (let network = 0; network < 50; network++) {
              const stranger = {
                email: ` ${email.toUpperCase()}`,
                cookie: null,
                device: from(`198.51.100.${network}`)
              }
              assert.equal((yield* requestReset(stranger))._tag, "Asked")
            }
            const { text } = yield* (yield* Mailbox).next(email, before)
            yield* TestClock.adjust("59 seconds")
            const owner = { email, cookie: null, device: from("203.0.113.1") }
            assert.equal((yield* requestReset(owner))._tag, "Asked")
            assert.equal(yield* emailsTo(email), before + 1)
            yield* TestClock.adjust("1 second")
            assert.equal((yield* requestReset(owner))._tag, "Asked")
            yield* (yield* Mailbox).next(email, before + 1)
            const chosen = { token: tokenIn(text), password: "a newly chosen one", device: owner.device }
            assert.equal((yield* reset(chosen))._tag, "Done")
          })
      )
      it.effect("50 networks that sign up with an address leave its owner a link that works", () =>
        Effect.gen(function* () {
          const email = freshEmail()
          for (let network = 0; network < 50; network++) {
            const stranger = { email, next: null, device: from(`198.51.100.${network}`) }
            assert.equal((yield* signUp(stranger))._tag, "MailSent")
          }
          assert.equal((yield* signUp({ email, next: null, device }))._tag, "MailSent")
          assert.equal(yield* emailsTo(email), 1)
          const { text } = yield* (yield* Mailbox).next(email, 0)
          const account = { token: tokenIn(text), name: "Ada", password: goodPassword, device }
          assert.equal((yield* verify(account))._tag, "SignedIn")
        })
      )
      it.effect(
        "a known device always gets the email of a reset that it requests, and is known for 180 days",
        () =>
          Effect.gen(function* () {
            const email = freshEmail()
            const cookie = yield* signedUp(email)
            const before = yield* emailsTo(email)
            const owner = { email, cookie, device: from("203.0.113.2") }
            for (const sent of [1, 2]) {
              yield* requestReset(owner)
              yield* (yield* Mailbox).next(email, before + sent - 1)
            }
            const attempt = { kind: "sign_in", origin: "address:4:cb007102", email } as const
            yield* TestClock.adjust("180 days")
            for (let tried = 0; tried < 10; tried++) yield* withAttemptLimits(attempt, Effect.void)
            const wrong = { ...owner, password: "not the right one" }
            assert.equal((yield* signIn(wrong))._tag, "Wrong")
            yield* TestClock.adjust("2 seconds")
            assert.equal((yield* signIn(wrong))._tag, "Limited")
          })
      )
      it.effect("one network sends a mailbox at most 20 emails of a kind a day", () =>
        Effect.gen(function* () {
          const email = freshEmail()
          const results: Array<string> = []
          for (let tried = 0; tried < 25; tried++) {
            results.push((yield* requestReset({ email, cookie: null, device: from("192.0.5.1") }))._tag)
            yield* TestClock.adjust("61 seconds")
          }
          assert.equal(results.filter((tag) => tag === "Asked").length, 20)
          assert.equal(results.at(-1), "Limited")
        })
      )
    }
  )
})

type Needs = Effect.Services<ReturnType<typeof signIn>> | Effect.Services<ReturnType<typeof signUp>>

const from = (address: string) => ({ ...device, address })

const networks = Array.from({ length: 50 }, (_, network) => `address:4:${network.toString(16)}`)

/** Makes an account from a device and returns the cookies of the device. */
const signedUp = Effect.fnUntraced(function* (email: string) {
  yield* signUp({ email, next: null, device: from(`10.0.0.${counter++}`) })
  const { text } = yield* (yield* Mailbox).next(email, 0)
  const account = { token: tokenIn(text), name: "Ada", password: goodPassword }
  const result = yield* verify({ ...account, device: from(`10.0.1.${counter}`) })
  return result._tag === "SignedIn" ? cookieIn(result.cookies) : assert.fail(result._tag)
})
let counter = 0
