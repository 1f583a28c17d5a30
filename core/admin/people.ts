import * as Effect from "effect/Effect"
import type { OrganizationId } from "../organization/Organization.ts"
import { parseEmail, parseNext } from "../person/form.ts"
import type { Actor, Person } from "../person/Person.ts"
import { Audit } from "../port/Audit.ts"
import { Members } from "../port/Members.ts"
import type { CookieText, Device, SignedIn } from "../port/People.ts"
import { People } from "../port/People.ts"
import { noteSignIn } from "../job/noticeJobs.ts"
import { attemptOrigin, rememberDevice, strangerAt } from "./attemptOrigin.ts"
import { instant } from "./withAudit.ts"
import { withAttemptLimits, withSpacedEmails } from "./withAttemptLimits.ts"
import { withPasswordTurn } from "./withPasswordTurn.ts"

/**
 * Signs up: an email with a link goes to the address, unless one went less than a minute ago. The result is
 * the same in either case, and whether or not the address has an account.
 */
export const signUp = (form: {
  readonly email: string
  readonly next: string | null
  readonly device: Device
}) =>
  withAttemptLimits(
    { kind: "sign_up", origin: strangerAt(form.device.address).subject, email: form.email },
    Effect.gen(function* () {
      const email = parseEmail(form.email)
      if (email === undefined) return { _tag: "Form", field: "email", code: "invalid" } as const
      const { signUp } = yield* People
      const next = form.next === null ? null : (parseNext(form.next) ?? null)
      yield* withSpacedEmails({ kind: "sign_up", email }, signUp({ email, next }))
      return { _tag: "MailSent" } as const
    })
  )

/** Opens the link of a sign-up: makes the account with the password chosen now, and signs in. */
export const verify = (input: {
  readonly token: string
  readonly name: string
  readonly password: string
  readonly device: Device
}) =>
  byLink(
    { kind: "verify", device: input.device },
    Effect.flatMap(People, (people) => remembered(people.verify(input), input.device))
  )

/** Signs in. A wrong password, an unknown email and an unverified one have the same result. */
export const signIn = Effect.fnUntraced(function* (form: {
  readonly email: string
  readonly password: string
  readonly cookie: CookieText
  readonly device: Device
}) {
  const { address } = form.device
  const origin = yield* attemptOrigin({ cookie: form.cookie, address, email: form.email })
  return yield* withPasswordTurn(
    origin,
    withAttemptLimits(
      { kind: "sign_in", origin: origin.subject, email: form.email },
      Effect.flatMap(People, (people) => remembered(people.signIn(form), form.device))
    )
  )
})

/**
 * Requests an email with a link to choose another password. A stranger's request sends none if one went less
 * than a minute ago; one from a known device of the account always does. The result is the same in any case.
 */
export const requestReset = Effect.fnUntraced(function* (form: {
  readonly email: string
  readonly cookie: CookieText
  readonly device: Device
}) {
  const { address } = form.device
  const { email } = form
  const origin = yield* attemptOrigin({ cookie: form.cookie, address, email })
  return yield* withAttemptLimits(
    { kind: "request_reset", origin: origin.subject, email },
    Effect.gen(function* () {
      const sending = (yield* People).requestReset(email)
      yield* origin.kind === "known" ? sending : withSpacedEmails({ kind: "request_reset", email }, sending)
      return { _tag: "Asked" } as const
    })
  )
})

/** Sets another password with the token of that email, which ends every session of the person. */
export const reset = (form: { readonly token: string; readonly password: string; readonly device: Device }) =>
  byLink(
    { kind: "reset", device: form.device },
    Effect.flatMap(People, (people) => people.reset(form))
  )

/**
 * The organizations somebody belongs to, by name. Those that the operator made for their address (`org create
 * --owner`) and that nobody belongs to yet become theirs first.
 */
export const memberships = Effect.fn("managing.memberships")(function* (person: Person) {
  const members = yield* Members
  const claimed = yield* members.claim(person)
  if (claimed.length > 0) yield* appendClaims(person, claimed)
  return yield* members.of(person.personId)
})

/** The place somebody acts from; undefined: they do not belong there. */
export const actorIn = Effect.fn("managing.actorIn")(function* (
  person: Person,
  organizationId: OrganizationId
) {
  const role = yield* (yield* Members).role({ organizationId, personId: person.personId })
  return role === undefined ? undefined : ({ person, organizationId, role } satisfies Actor)
})

/** Runs what sets a password by the link of an email. The link names no account before it is read. */
const byLink = <A, E, R>(
  { device, kind }: { readonly kind: "verify" | "reset"; readonly device: Device },
  effect: Effect.Effect<A, E, R>
) => {
  const origin = strangerAt(device.address)
  return withPasswordTurn(origin, withAttemptLimits({ kind, origin: origin.subject, email: null }, effect))
}

/** After a sign-in: makes the device known to the account, and notifies the person of a new one. */
const remembered = Effect.fnUntraced(function* <Other extends { readonly _tag: string }, E, R>(
  signingIn: Effect.Effect<SignedIn | Other, E, R>,
  device: Device
) {
  const result = yield* signingIn
  if (!isSignedIn(result)) return result
  yield* noteSignIn(result.person, device)
  const cookies = [...result.cookies, yield* rememberDevice(result.person.email)]
  return { ...result, cookies } satisfies SignedIn
})

const isSignedIn = (result: { readonly _tag: string }): result is SignedIn => result._tag === "SignedIn"

const appendClaims = Effect.fnUntraced(function* (
  person: Person,
  claimed: ReadonlyArray<{ readonly organizationId: OrganizationId }>
) {
  const audit = yield* Audit
  const at = yield* instant
  yield* Effect.forEach(claimed, ({ organizationId }) =>
    audit.append({
      organizationId,
      at,
      actor: { kind: "person", id: person.personId, label: person.email },
      action: "member.joined",
      subject: person.email,
      detail: "owner, as the operator named them"
    })
  )
})
