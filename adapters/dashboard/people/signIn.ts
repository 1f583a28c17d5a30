import * as Effect from "effect/Effect"
import { People } from "../../../core/port/People.ts"
import * as managing from "../../../core/admin/people.ts"
import { html } from "../../html/html.ts"
import { redirectTo, showPage } from "../answer.ts"
import type { Fault } from "../fields.ts"
import { emailText, passwordText, readFields } from "../fields.ts"
import { form, textField } from "../formParts.ts"
import { nextOf, nextQuery } from "../next.ts"
import type { OpenRequest } from "../Page.ts"
import { openPage } from "../Page.ts"
import { limitedFault, limitedStatus } from "./limited.ts"

const show = (request: OpenRequest) =>
  Effect.sync(() => {
    const next = nextOf(request.query.get("next"))
    return request.person === undefined
      ? page({ email: "", next, faults: [] })
      : redirectTo(next ?? "/dashboard")
  })

const signIn = Effect.fnUntraced(function* ({ cookie, device, form: sent, nowMs }: OpenRequest) {
  const next = nextOf(sent.text("next"))
  const written = { email: sent.text("email"), next }
  const read = readFields({ email: emailText, password: passwordText }, sent)
  if (read._tag === "Faulty") return page({ ...written, faults: read.faults, status: 422 })
  const said = yield* managing.signIn({ ...read.values, cookie, device })
  switch (said._tag) {
    case "SignedIn":
      return redirectTo(next ?? "/dashboard", { cookies: said.cookies })
    case "Wrong":
      return page({ ...written, faults: [wrong], status: 422 })
    case "Limited":
      return page({ ...written, faults: [limitedFault(said, nowMs)], ...limitedStatus(said) })
  }
})

const signOut = Effect.fnUntraced(function* ({ cookie }: OpenRequest) {
  const { cookies } = yield* (yield* People).signOut(cookie)
  return redirectTo("/login", { says: "signed_out", cookies })
})

/** Signing in and out. */
export const signInPages = [
  openPage({ method: "GET", path: "/login", answer: show }),
  openPage({ method: "POST", path: "/login", answer: signIn }),
  openPage({ method: "POST", path: "/logout", answer: signOut })
] as const

/** One sentence for every reason: nobody learns here whether an address has an account. */
const wrong: Fault = {
  field: "email",
  says: "The address and the password do not belong together, or the address is not confirmed yet."
}

const page = ({
  email,
  next,
  faults,
  ...status
}: {
  readonly email: string
  readonly next: string | undefined
  readonly faults: ReadonlyArray<Fault>
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}) =>
  showPage({
    ...status,
    title: "Sign in",
    width: "narrow",
    body: html`<section class="card" aria-label="Sign-in">${form({
      action: "/login",
      submit: "Sign in",
      faults,
      hidden: next === undefined ? {} : { next },
      fields: [emailField(email, faults), passwordField(faults)],
      note: html`<p><a href="/forgot">Forgot your password?</a></p>`
    })}</section>
<p class="aside">New here? <a href="/signup${nextQuery(next)}">Create an account</a></p>`
  })

const emailField = (value: string, faults: ReadonlyArray<Fault>) =>
  textField({
    name: "email",
    label: "E-mail address",
    type: "email",
    value,
    autocomplete: "username",
    faults
  })

const passwordField = (faults: ReadonlyArray<Fault>) =>
  textField({
    name: "password",
    label: "Password",
    type: "password",
    autocomplete: "current-password",
    faults
  })
