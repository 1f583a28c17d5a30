import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { starterCredits } from "../../../core/organization/pack.ts"
import { personNameMax } from "../../../core/person/form.ts"
import { passwordSays } from "../../../core/person/password.ts"
import type { FormFault } from "../../../core/port/People.ts"
import * as managing from "../../../core/admin/people.ts"
import { html } from "../../html/html.ts"
import { emailField, newPasswordField, textField } from "../fields.ts"
import type { FormState } from "../form.ts"
import { busyForm, limitForm, makeForm, newForm, rejectField, rejectForm } from "../form.ts"
import { nextOf, nextQuery } from "../next.ts"
import type { OpenRequest } from "../Page.ts"
import { redirectTo } from "../Page.ts"
import type { SentForm } from "../sentForm.ts"
import { actions, linkButton, small, narrowPage } from "../parts.ts"

const signUpForm = makeForm("Send the link", {
  email: emailField({ autocomplete: "email", hint: "We send you a link to confirm it." })
})

const verifyForm = makeForm("Create account", {
  name: textField({
    label: "Your name",
    missing: "Enter your name.",
    charactersMax: personNameMax,
    autocomplete: "name"
  }),
  password: newPasswordField("Password")
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
    title: "Create an account",
    says:
      "Confirm your email first. Then you choose a password and create an organization, which gets " +
      `${starterCredits} starter credits, and a key for its calls.`,
    body: signUpForm.render(state, { action: "/signup", hidden: { next } }),
    aside: html`Have an account? <a href="/login${nextQuery(next)}">Sign in</a>`
  })

/** Tells people to open the link in the email. */
export const showSent = ({ mailIsLogged }: OpenRequest) =>
  Effect.succeed(
    narrowPage({
      title: "Check your email",
      body: html`<p>We sent an email to your address. Open its link within a day to create your account.</p>
${
  mailIsLogged &&
  html`<p class="notice note">Emails are written to the server log, because this service has no mail server
(<code>SMTP_URL</code>). Open the link from there.</p>`
}
${small(html`No email? Check your spam folder and the address, then, after a
minute, <a href="/signup">sign up again</a>. If you already had an account, the email says so.`)}
${actions(linkButton({ href: "/login", label: "Sign in" }))}`
    })
  )

/** Shows a button for the email's link, so that mail filters that open links do not use it up. */
export const showVerify = ({ query }: OpenRequest) =>
  Effect.sync(() => {
    const token = query.get("token") ?? ""
    return token === "" ? linkEnded : verifyPage(newForm(), token, nextOf(query.get("next")))
  })

/** Creates the account with the name and password, and signs in. */
export const verify = Effect.fnUntraced(function* (request: OpenRequest) {
  const { device, form } = request
  const next = nextOf(form.text("next"))
  const token = form.text("token")
  const input = verifyForm.parse(form)
  if (Result.isFailure(input)) return verifyPage(input.failure, token, next)
  const result = yield* managing.verify({ ...input.success, token, device })
  switch (result._tag) {
    case "SignedIn":
      return redirectTo(next ?? "/dashboard", "address_verified", result.cookies)
    case "LinkEnded":
      return linkEnded
    case "Form":
      return verifyPage(formFault(form, result), token, next)
    case "Limited":
      return verifyPage(limitForm(request, result), token, next)
    case "Busy":
      return verifyPage(busyForm(request), token, next)
  }
})

const formFault = (sent: SentForm, fault: FormFault): FormState =>
  fault.field === "password"
    ? rejectForm(sent, { field: "password", says: passwordSays[fault.code] })
    : rejectField(sent, fault)

const verifyPage = (state: FormState, token: string, next: string | undefined) =>
  narrowPage({
    ...state.response,
    title: "Create your account",
    says: "Choose a name and a password. If you did not sign up, close this page and nothing happens.",
    body: verifyForm.render(state, { action: "/verify", hidden: { token, next } })
  })

const linkEnded = narrowPage({
  status: 410,
  title: "This link has expired",
  body: html`<p>It works once and for one day. If you already confirmed your email, sign in. Otherwise sign up again to
get a new link.</p>${actions(
    linkButton({ href: "/login", label: "Sign in", tone: "primary" }),
    linkButton({ href: "/signup", label: "Sign up again" })
  )}`
})
