import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { PasswordFault } from "../person/password.ts"
import type { Person } from "../person/Person.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class PeopleUnavailable extends Schema.TaggedError<PeopleUnavailable>()("PeopleUnavailable", {
  fault: StoreFault
}) {}

/** The `Cookie` header of a request, whole; null: none was sent. It is a credential and is never logged. */
export type CookieText = string | null

/** `Set-Cookie` lines for the answer. They are credentials and are never logged. */
export interface Cookies {
  readonly cookies: ReadonlyArray<string>
}

/** From where somebody signs in, as a notice of it says. */
export interface Device {
  readonly address: string
  readonly agent: string | null
}

export type SignedIn = Cookies & { readonly _tag: "SignedIn"; readonly person: Person }

/**
 * Why an account or a password is not taken as it was written: the form says so beside its field. That an
 * address has an account already is never among them.
 */
export type FormFault =
  | { readonly _tag: "Form"; readonly field: "name"; readonly code: "required" | "too_long" }
  | { readonly _tag: "Form"; readonly field: "email"; readonly code: "invalid" }
  | { readonly _tag: "Form"; readonly field: "password"; readonly code: PasswordFault }

/**
 * People, their passwords and sessions.
 *
 * 1. `signUp` sends a mail with a link to the address and tells nobody whether there is an account: for a
 *    known address the mail says so instead.
 * 2. Only who has opened the link of that mail signs in, with the password that was chosen for that very
 *    mail; a link works once and for a day (a reset: an hour). `signIn` says `Wrong` of an address that is
 *    not verified as of one that is unknown: anything else would tell whether there is an account.
 * 3. A session is found by its cookie until it is closed, 30 days pass, or the password is reset, which
 *    closes every session. Signing in makes a new session and closes the one whose cookie was sent.
 * 4. `reset` needs the token of its mail; `requestReset` tells nobody whether there is an account.
 * 5. Sessions, tokens and passwords stand in no store in a form that signs anybody in, but for the cookie's
 *    own: see the decision record.
 * 6. An unavailable store fails with PeopleUnavailable.
 */
export class People extends Context.Service<
  People,
  {
    readonly signUp: (form: {
      readonly name: string
      readonly email: string
      readonly password: string
      /** A path of ours to go on to once the address is verified, such as an invitation's; null: none. */
      readonly next: string | null
    }) => Effect.Effect<{ readonly _tag: "MailSent" } | FormFault, PeopleUnavailable>
    /**
     * Opens the link of a verification mail, and signs in whoever did. The password is the one of that very
     * sign-up: somebody else may have asked for the email, and must not be let in by who received it.
     * `Wrong` leaves the link as it was.
     */
    readonly verify: (input: {
      readonly token: string
      readonly password: string
      readonly device: Device
    }) => Effect.Effect<
      SignedIn | { readonly _tag: "LinkEnded" } | { readonly _tag: "Wrong" },
      PeopleUnavailable
    >
    readonly signIn: (form: {
      readonly email: string
      readonly password: string
      readonly cookie: CookieText
      readonly device: Device
    }) => Effect.Effect<SignedIn | { readonly _tag: "Wrong" }, PeopleUnavailable>
    /** Who the cookie signs in; undefined: nobody. */
    readonly find: (cookie: CookieText) => Effect.Effect<Person | undefined, PeopleUnavailable>
    readonly signOut: (cookie: CookieText) => Effect.Effect<Cookies, PeopleUnavailable>
    readonly requestReset: (email: string) => Effect.Effect<void, PeopleUnavailable>
    readonly reset: (form: {
      readonly token: string
      readonly password: string
    }) => Effect.Effect<
      { readonly _tag: "Done" } | { readonly _tag: "LinkEnded" } | FormFault,
      PeopleUnavailable
    >
  }
>()("coverage/core/port/People") {}
