import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { starterCredits } from "../../../core/organization/pack.ts"
import { personNameMax } from "../../../core/person/form.ts"
import * as managing from "../../../core/admin/people.ts"
import { html } from "../../html/html.ts"
import { emailField, newPasswordField, passwordField, textField } from "../fields.ts"
import type { FormState } from "../form.ts"
import { limitForm, makeForm, newForm, rejectField, rejectForm } from "../form.ts"
import { nextOf, nextQuery } from "../next.ts"
import type { OpenRequest } from "../Page.ts"
import { redirectTo } from "../Page.ts"
import { actions, linkButton, small, narrowPage } from "../parts.ts"

const signUpForm = makeForm("Create account", {
  name: textField({
    label: "Your name",
    missing: "Enter your name.",
    charactersMax: personNameMax,
    autocomplete: "name"
  }),
  email: emailField({ autocomplete: "email", hint: "We send you a link to confirm it." }),
  password: newPasswordField("Password")
})

const verifyForm = makeForm("Confirm and sign in", {
  password: passwordField("The password you chose when you signed up.")
})

/** Shows the form to people who are not signed in. */
export const showSignUp = ({ person, query }: OpenRequest) =>
  Effect.sync(() => {
    const next = nextOf(query.get("next"))
    return person === undefined ? page(newForm(), next) : redirectTo(next ?? "/dashboard")
  })

/** Sends the email that confirms the address. */
export const signUp = Effect.fnUntraced(function* (request: OpenRequest) {
  const { device, form } = request
  const next = nextOf(form.text("next"))
  const input = signUpForm.parse(form)
  if (Result.isFailure(input)) return page(input.failure, next)
  const result = yield* managing.signUp({ ...input.success, next: next ?? null, device })
  switch (result._tag) {
    case "MailSent":
      return redirectTo("/signup/sent")
    case "Limited":
      return page(limitForm(request, result), next)
    case "Form":
      return page(rejectField(form, result), next)
  }
})

const page = (state: FormState, next: string | undefined) =>
  narrowPage({
    ...state.response,
    title: "Create your account",
    says: `Next, you create an organization, which gets ${starterCredits} starter credits, and a key for its calls.`,
    body: signUpForm.render(state, { action: "/signup", hidden: { next } }),
    aside: html`Have an account? <a href="/login${nextQuery(next)}">Sign in</a>`
  })

/** Tells people to open the link in the email. */
export const showSent = ({ mailIsLogged }: OpenRequest) =>
  Effect.succeed(
    narrowPage({
      title: "Check your email",
      body: html`<p>We sent an email to your address. Open its link within a day to confirm the address and sign in.</p>
${
  mailIsLogged &&
  html`<p class="notice note">Emails are written to the server log, because this service has no mail server
(<code>SMTP_URL</code>). Open the link from there.</p>`
}
${small(html`No email? Check your spam folder and the address, then <a href="/signup">sign up again</a>. If
you already had an account, the email says so.`)}
${actions(linkButton({ href: "/login", label: "Sign in" }))}`
    })
  )

/** Shows a button for the email's link, so that mail filters that open links do not use it up. */
export const showVerify = ({ query }: OpenRequest) =>
  Effect.sync(() => {
    const token = query.get("token") ?? ""
    return token === "" ? linkEnded : verifyPage(newForm(), token, nextOf(query.get("next")))
  })

/** Confirms the address with the password of the sign-up, and signs in. */
export const verify = Effect.fnUntraced(function* (request: OpenRequest) {
  const { device, form } = request
  const next = nextOf(form.text("next"))
  const token = form.text("token")
  const result = yield* managing.verify({ token, password: form.raw("password"), device })
  switch (result._tag) {
    case "SignedIn":
      return redirectTo(next ?? "/dashboard", "address_verified", result.cookies)
    case "LinkEnded":
      return linkEnded
    case "Wrong":
      return verifyPage(rejectForm(form, { field: "password", says: otherPassword }), token, next)
    case "Limited":
      return verifyPage(limitForm(request, result), token, next)
  }
})

const verifyPage = (state: FormState, token: string, next: string | undefined) =>
  narrowPage({
    ...state.response,
    title: "Confirm your email",
    body: html`<p>One step is left: confirm your email address with the password you chose. If you did not sign up,
close this page and nothing happens.</p>${verifyForm.render(state, { action: "/verify", hidden: { token, next } })}`
  })

const otherPassword =
  "This link belongs to a sign-up with another password. If you forgot your password, sign up again."

const linkEnded = narrowPage({
  status: 410,
  title: "This link has expired",
  body: html`<p>It works once and for one day. If you already confirmed your email, sign in. Otherwise sign up again to
get a new link.</p>${actions(
    linkButton({ href: "/login", label: "Sign in", tone: "primary" }),
    linkButton({ href: "/signup", label: "Sign up again" })
  )}`
})
