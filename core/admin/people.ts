import * as Effect from "effect/Effect"
import type { OrganizationId } from "../organization/Organization.ts"
import { parseNext } from "../person/form.ts"
import type { Actor, Person } from "../person/Person.ts"
import { Audit } from "../port/Audit.ts"
import { Members } from "../port/Members.ts"
import type { CookieText, Device, SignedIn } from "../port/People.ts"
import { People } from "../port/People.ts"
import { noteSignIn } from "../job/noticeJobs.ts"
import { instant } from "./withAudit.ts"
import { withAttemptLimits } from "./withAttemptLimits.ts"

/** Signing up, limited by address and by e-mail: an email goes out whatever is said. */
export const signUp = (form: {
  readonly name: string
  readonly email: string
  readonly password: string
  readonly next: string | null
  readonly device: Device
}) =>
  withAttemptLimits(
    { kind: "sign_up", address: form.device.address, email: form.email },
    Effect.flatMap(People, (people) =>
      people.signUp({ ...form, next: form.next === null ? null : (parseNext(form.next) ?? null) })
    )
  )

/** Opening the link of a verification email with the password of its sign-up; whoever does is signed in. */
export const verify = (input: {
  readonly token: string
  readonly password: string
  readonly device: Device
}) =>
  withAttemptLimits(
    { kind: "verify", address: input.device.address, email: null },
    Effect.flatMap(People, (people) => Effect.tap(people.verify(input), noteDevice(input.device)))
  )

/** Signing in; a wrong password, an unknown and an unverified address are told alike. */
export const signIn = (form: {
  readonly email: string
  readonly password: string
  readonly cookie: CookieText
  readonly device: Device
}) =>
  withAttemptLimits(
    { kind: "sign_in", address: form.device.address, email: form.email },
    Effect.flatMap(People, (people) => Effect.tap(people.signIn(form), noteDevice(form.device)))
  )

/** Asking for an email with a link to choose another password; nobody is told whether one was sent. */
export const requestReset = (form: { readonly email: string; readonly device: Device }) =>
  withAttemptLimits(
    { kind: "request_reset", address: form.device.address, email: form.email },
    Effect.as(
      Effect.flatMap(People, (people) => people.requestReset(form.email)),
      { _tag: "Asked" } as const
    )
  )

/** Choosing another password by the link of that email; every session of the person ends. */
export const reset = (form: { readonly token: string; readonly password: string; readonly device: Device }) =>
  withAttemptLimits(
    { kind: "reset", address: form.device.address, email: null },
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

/** Whoever signs in from a new place hears of it. */
const noteDevice = (device: Device) => (said: { readonly _tag: string } | SignedIn) =>
  "person" in said ? noteSignIn(said.person, device) : Effect.void

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
