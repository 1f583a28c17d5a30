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
 * 1. `signUp` sends an email with a link to the address. If the address has an account, the email says so
 *    instead; the result is the same.
 * 2. `verify` makes the account of a link, with the name and the password given there: only the owner of the
 *    address can open it. A link works once and for a day (a reset: an hour). `signIn` returns `Wrong` for an
 *    unknown address as for a wrong password: anything else would show whether there is an account.
 * 3. A session is found by its cookie until it is closed, 30 days pass, or the password is reset, which
 *    closes every session. Signing in makes a new session and closes the one whose cookie was sent.
 * 4. `reset` needs the token of its email; `requestReset` does not show whether there is an account.
 * 5. The store has no session, token or password in a form that signs anybody in, except the cookie's own:
 *    see the decision record.
 * 6. An unavailable store fails with PeopleUnavailable.
 * 7. `signIn` hashes a password anew that was hashed with older parameters; the time until `Wrong` does not
 *    depend on the parameters.
 * 8. `signIn`, `verify` and `reset` hash a password, and end no earlier than their hash, even if interrupted.
 */
export class People extends Context.Service<
  People,
  {
    readonly signUp: (form: {
      /** As `parseEmail` returns it. */
      readonly email: string
      /** A path of ours to continue at once the address is verified, such as an invitation's; null: none. */
      readonly next: string | null
    }) => Effect.Effect<void, PeopleUnavailable>
    /** `Form` leaves the link as it was. */
    readonly verify: (input: {
      readonly token: string
      readonly name: string
      readonly password: string
      readonly device: Device
    }) => Effect.Effect<SignedIn | { readonly _tag: "LinkEnded" } | FormFault, PeopleUnavailable>
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
