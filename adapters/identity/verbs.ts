import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { browserName } from "../../core/notice/browserName.ts"
import { parseEmail, parseName, personNameMax } from "../../core/person/form.ts"
import { passwordFault } from "../../core/person/password.ts"
import type { Person } from "../../core/person/Person.ts"
import type { Mail } from "../../core/port/Mail.ts"
import type { CookieText, Device, People, SignedIn } from "../../core/port/People.ts"
import { PeopleUnavailable } from "../../core/port/People.ts"
import { knownAddressEmail, verificationEmail } from "../../core/admin/emails.ts"
import type { makeAuth } from "./auth.ts"
import { addressHeader } from "./auth.ts"
import type { makeCallAuth } from "./callAuth.ts"
import type { SessionCookie } from "./cookies.ts"
import { headerOf, tokenIn } from "./cookies.ts"
import { hashPassword, isOutdatedHash } from "./passwordHash.ts"

interface Parts {
  readonly auth: ReturnType<typeof makeAuth>
  readonly callAuth: ReturnType<typeof makeCallAuth>
  readonly cookie: SessionCookie
  readonly mail: Mail["Service"]
  readonly baseUrl: string
}
type Verbs = People["Service"]

/** `signUp` and `verify`. */
export const signUpVerbs = ({
  auth,
  baseUrl,
  callAuth,
  cookie,
  mail
}: Parts): Pick<Verbs, "signUp" | "verify"> => ({
  signUp: Effect.fn("people.signUp")(function* ({ email, next }) {
    const token = yield* callAuth(() => auth.api.requestSignUp({ body: { email } }))
    if (Result.isFailure(token)) return yield* Effect.die(new Error("a sign-up was refused"))
    const message =
      token.success === null
        ? knownAddressEmail({ to: email, baseUrl })
        : verificationEmail({ to: email, baseUrl, token: token.success, next })
    yield* Effect.mapError(mail.send(message), ({ fault }) => new PeopleUnavailable({ fault }))
  }),
  verify: Effect.fn("people.verify")(function* (input) {
    const { device, password, token } = input
    const email = yield* callAuth(() => auth.api.findSignUp({ body: { token } }))
    if (Result.isFailure(email) || email.success === null) return linkEnded
    const name = parseName(input.name, personNameMax)
    if (Result.isFailure(name)) return { _tag: "Form", field: "name", code: name.failure }
    const code = passwordFault(password, email.success)
    if (code !== undefined) return { _tag: "Form", field: "password", code }
    const body = { token, name: name.success, password }
    const call = { body, headers: headersOf(device), returnHeaders: true } as const
    const result = yield* callAuth(() => auth.api.confirmSignUp(call))
    if (Result.isFailure(result) || result.success.response === null) return linkEnded
    return signedIn(cookie, result.success.headers, result.success.response.user)
  })
})

/** `signIn`: always a new session, which replaces the one of the cookie. */
export const signInVerbs = ({ auth, callAuth, cookie }: Parts): Pick<Verbs, "signIn"> => ({
  signIn: Effect.fn("people.signIn")(function* (form) {
    const body = { email: form.email.trim(), password: form.password }
    const call = { body, headers: headersOf(form.device), returnHeaders: true } as const
    const result = yield* callAuth(() => auth.api.signInEmail(call))
    if (Result.isFailure(result)) return { _tag: "Wrong" }
    yield* callAuth(() => renewHash(auth, result.success.response.user.id, form.password))
    const earlier = form.cookie === null ? undefined : tokenIn(form.cookie, cookie)
    if (earlier !== undefined) yield* callAuth(() => deleteSession(auth, earlier))
    return signedIn(cookie, result.success.headers, result.success.response.user)
  })
})

/** `find` and `signOut`. A cookie that none of our secrets signed is ignored. */
export const sessionVerbs = ({ auth, callAuth, cookie }: Parts): Pick<Verbs, "find" | "signOut"> => {
  const tokenOf = (sent: CookieText) => (sent === null ? undefined : tokenIn(sent, cookie))
  return {
    find: Effect.fn("people.find")(function* (sent) {
      const token = tokenOf(sent)
      if (token === undefined) return undefined
      const headers = new Headers({ cookie: headerOf(token, cookie) })
      const result = yield* callAuth(() => auth.api.getSession({ headers }))
      const user = Result.isSuccess(result) ? result.success?.user : undefined
      return user && personOf(user)
    }),
    signOut: Effect.fn("people.signOut")(function* (sent) {
      const token = tokenOf(sent)
      if (token !== undefined) yield* callAuth(() => deleteSession(auth, token))
      // The library's signOut succeeds even if it could not delete the session, so it only ends the cookie.
      const result = yield* callAuth(() => auth.api.signOut({ headers: new Headers(), returnHeaders: true }))
      return { cookies: Result.isSuccess(result) ? cookiesOf(cookie, result.success.headers) : [] }
    })
  }
}

/** `requestReset` and `reset`. */
export const resetVerbs = ({ auth, callAuth }: Parts): Pick<Verbs, "requestReset" | "reset"> => ({
  requestReset: Effect.fn("people.requestReset")(function* (text) {
    const email = parseEmail(text)
    if (email !== undefined) yield* callAuth(() => auth.api.requestPasswordReset({ body: { email } }))
  }),
  reset: Effect.fn("people.reset")(function* ({ password, token }) {
    const owner = yield* callAuth(() => emailOf(auth, token))
    const code = passwordFault(password, Result.isSuccess(owner) ? owner.success : undefined)
    if (code !== undefined) return { _tag: "Form", field: "password", code }
    const result = yield* callAuth(() => auth.api.resetPassword({ body: { newPassword: password, token } }))
    return Result.isSuccess(result) ? { _tag: "Done" } : linkEnded
  })
})

// The library's `deleteSession` ignores a store that is unavailable and deletes nothing.
const deleteSession = async (auth: Parts["auth"], token: string): Promise<void> => {
  const { adapter } = await auth.$context
  await adapter.deleteMany({ model: "session", where: [{ field: "token", value: token }] })
}

// The update names the old hash, so it never replaces a password that a reset has just set.
const renewHash = async (auth: Parts["auth"], userId: string, password: string): Promise<void> => {
  const { adapter } = await auth.$context
  const model = "account"
  const ofUser = { field: "userId", value: userId } as const
  const account = await adapter.findOne<{ readonly password?: string | null }>({ model, where: [ofUser] })
  const old = account?.password
  if (typeof old !== "string" || !isOutdatedHash(old)) return
  const where = [ofUser, { field: "password", value: old } as const]
  await adapter.updateMany({ model, where, update: { password: await hashPassword(password) } })
}

// Read before the link is used up: a rejected password leaves the link valid.
const emailOf = async (auth: Parts["auth"], token: string): Promise<string | undefined> => {
  const { internalAdapter } = await auth.$context
  const waiting = await internalAdapter.findVerificationValue(`reset-password:${token}`)
  return waiting === null ? undefined : (await internalAdapter.findUserById(waiting.value))?.email
}

const linkEnded = { _tag: "LinkEnded" } as const

// The library stores what these headers hold with a session. The browser's own text is not stored.
const headersOf = ({ address, agent }: Device): Headers =>
  new Headers({ [addressHeader]: plain(address), "user-agent": browserName(agent) })

const plain = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, "?")

type User = { readonly id: string; readonly email: string; readonly name: string }

const personOf = (user: User): Person => {
  const { email, id, name } = decodeUser(user)
  return { personId: id, email, name }
}

/** What the library read, whose types are its own word. */
const decodeUser = Schema.decodeUnknownSync(
  Schema.Struct({
    id: Schema.String.pipe(Schema.brand("PersonId")),
    email: Schema.String,
    name: Schema.String
  })
)

const signedIn = (cookie: SessionCookie, headers: Headers, user: User): SignedIn => ({
  _tag: "SignedIn",
  person: personOf(user),
  cookies: cookiesOf(cookie, headers)
})

// The library also ends cookies that it never sets here.
const cookiesOf = ({ name }: SessionCookie, headers: Headers): ReadonlyArray<string> =>
  headers.getSetCookie().filter((line) => line.startsWith(`${name}=`))
