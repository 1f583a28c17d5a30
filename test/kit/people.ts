import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MemoryMail from "../../adapters/memory/Mail.ts"
import { Mailbox } from "../../adapters/memory/Mail.ts"
import * as NodeCrypto from "../../adapters/node/Crypto.ts"
import type { Device } from "../../core/port/People.ts"
import { People } from "../../core/port/People.ts"
import { Settings } from "../../core/port/Settings.ts"

/** Moves the clock that everything here reads. */
export class Calendar extends Context.Service<
  Calendar,
  { readonly pass: (ms: number) => Effect.Effect<void> }
>()("test/Calendar") {}

export const settingsOf = (given: Partial<Settings["Service"]> = {}) =>
  Layer.succeed(Settings, {
    baseUrl: "http://localhost:3000",
    supportUrl: "http://localhost:3000/support",
    secretKeys: ["a secret of at least thirty-two characters"],
    ...given
  })

export const surroundings = (given: Partial<Settings["Service"]> = {}) =>
  Layer.mergeAll(settingsOf(given), NodeCrypto.layer, MemoryMail.layer)

export const device: Device = { address: "192.0.2.7", agent: "Mozilla/5.0 (X11; Linux x86_64)" }

export const goodPassword = "correct horse battery"

let counted = 0

/** An address nobody else in this run has. */
export const freshEmail = (): string => `person${counted++}@example.com`

/** The token in the link of an email. */
export const tokenIn = (text: string): string =>
  decodeURIComponent(/[?&]token=([^&\s]+)/.exec(text)?.[1] ?? "no token")

/** Requests an account and returns the token that the email contains. */
export const requestAccount = Effect.fnUntraced(function* (email: string) {
  const before = yield* emailsTo(email)
  yield* (yield* People).signUp({ email, next: null })
  return tokenIn((yield* (yield* Mailbox).next(email, before)).text)
})

/** What the form behind the link of a sign-up sends. */
export const accountForm = (
  token: string,
  change: { readonly name?: string; readonly password?: string } = {}
) => ({
  ...{ token, device, name: "Ada Example", password: goodPassword },
  ...change
})

/** Makes an account; returns the person and the cookie. */
export const signUpPerson = Effect.fnUntraced(function* (email: string = freshEmail()) {
  const result = yield* (yield* People).verify(accountForm(yield* requestAccount(email)))
  if (result._tag !== "SignedIn") return yield* Effect.die(new Error(result._tag))
  return { person: result.person, cookie: cookieIn(result.cookies) }
})

export const signIn = (form: { email: string; password?: string; cookie?: string | null }) =>
  Effect.flatMap(People, (people) => people.signIn({ password: goodPassword, cookie: null, device, ...form }))

export const find = (cookie: string | null) => Effect.flatMap(People, (people) => people.find(cookie))

export const emailsTo = (email: string) =>
  Effect.map(Mailbox, ({ emails }) => emails.filter(({ to }) => to === email).length)

/** What a browser sends back of the lines it was given. */
export const cookieIn = (lines: ReadonlyArray<string>): string =>
  lines.map((line) => line.split(";")[0] ?? "").join("; ")
