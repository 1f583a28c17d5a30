import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { passwordSays } from "../../../core/person/password.ts"
import * as managing from "../../../core/admin/people.ts"
import { html } from "../../html/html.ts"
import { emailField, newPasswordField } from "../fields.ts"
import type { FormState } from "../form.ts"
import { busyForm, limitForm, makeForm, newForm, rejectForm } from "../form.ts"
import type { OpenRequest } from "../Page.ts"
import { redirectTo } from "../Page.ts"
import { actions, linkButton, narrowPage } from "../parts.ts"

const forgotForm = makeForm("Send the link", { email: emailField({ autocomplete: "username" }) })
const resetForm = makeForm("Change password", { password: newPasswordField("New password") })

/** Shows the form for a link to change the password. */
export const showForgot = () => Effect.succeed(forgotPage(newForm()))

/** Emails the link, if the address has an account. */
export const requestLink = Effect.fnUntraced(function* (request: OpenRequest) {
  const { cookie, device, form } = request
  const input = forgotForm.parse(form)
  if (Result.isFailure(input)) return forgotPage(input.failure)
  const result = yield* managing.requestReset({ email: input.success.email, cookie, device })
  return result._tag === "Limited"
    ? forgotPage(limitForm(request, result))
    : redirectTo("/login", "reset_sent")
})

/** Shows the form behind the email's link. */
export const showReset = ({ query }: OpenRequest) =>
  Effect.sync(() => {
    const token = query.get("token") ?? ""
    return token === "" ? redirectTo("/forgot") : resetPage(newForm(), token)
  })

/** Changes the password and ends every session of the person. */
export const resetPassword = Effect.fnUntraced(function* (request: OpenRequest) {
  const { device, form } = request
  const token = form.text("token")
  const input = resetForm.parse(form)
  if (Result.isFailure(input)) return resetPage(input.failure, token)
  const result = yield* managing.reset({ token, password: input.success.password, device })
  switch (result._tag) {
    case "Done":
      return redirectTo("/login", "password_changed")
    case "LinkEnded":
      return linkEnded
    case "Limited":
      return resetPage(limitForm(request, result), token)
    case "Busy":
      return resetPage(busyForm(request), token)
    case "Form": {
      const says = result.field === "password" ? passwordSays[result.code] : "Enter something else."
      return resetPage(rejectForm(form, { field: "password", says }), token)
    }
  }
})

const forgotPage = (state: FormState) =>
  narrowPage({
    ...state.response,
    title: "Reset your password",
    says: "Enter your email. We send you a link to choose a new password.",
    body: forgotForm.render(state, { action: "/forgot" }),
    aside: html`<a href="/login">Back to sign in</a>`
  })

const resetPage = (state: FormState, token: string) =>
  narrowPage({
    ...state.response,
    title: "Choose a new password",
    says: "You are then signed out everywhere. Sign in with the new password.",
    body: resetForm.render(state, { action: "/reset", hidden: { token } })
  })

const linkEnded = narrowPage({
  status: 410,
  title: "This link has expired",
  body: html`<p>It works once and for an hour.</p>
${actions(linkButton({ href: "/forgot", label: "Send a new link", tone: "primary" }))}`
})
