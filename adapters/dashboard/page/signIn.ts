import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { People } from "../../../core/port/People.ts"
import * as managing from "../../../core/admin/people.ts"
import { html } from "../../html/html.ts"
import { emailField, passwordField } from "../fields.ts"
import type { FormState } from "../form.ts"
import { busyForm, limitForm, makeForm, newForm, rejectForm } from "../form.ts"
import { nextOf, nextQuery } from "../next.ts"
import type { OpenRequest } from "../Page.ts"
import { redirectTo } from "../Page.ts"
import { narrowPage } from "../parts.ts"

const signInForm = makeForm("Sign in", {
  email: emailField({ autocomplete: "username" }),
  password: passwordField()
})

/** Shows the form to people who are not signed in. */
export const showSignIn = ({ person, query }: OpenRequest) =>
  Effect.sync(() => {
    const next = nextOf(query.get("next"))
    return person === undefined ? page(newForm(), next) : redirectTo(next ?? "/dashboard")
  })

/** Signs in and goes to `next`. */
export const signIn = Effect.fnUntraced(function* (request: OpenRequest) {
  const { cookie, device, form } = request
  const next = nextOf(form.text("next"))
  const input = signInForm.parse(form)
  if (Result.isFailure(input)) return page(input.failure, next)
  const result = yield* managing.signIn({ ...input.success, cookie, device })
  switch (result._tag) {
    case "SignedIn":
      return redirectTo(next ?? "/dashboard", undefined, result.cookies)
    case "Wrong":
      return page(rejectForm(form, { field: "email", says: wrong }), next)
    case "Limited":
      return page(limitForm(request, result), next)
    case "Busy":
      return page(busyForm(request), next)
  }
})

/** Ends the session. */
export const signOut = Effect.fnUntraced(function* ({ cookie }: OpenRequest) {
  const { cookies } = yield* (yield* People).signOut(cookie)
  return redirectTo("/login", "signed_out", cookies)
})

/** One sentence for every reason, so that nobody learns whether an address has an account. */
const wrong = "The email and password do not match, or the email is not confirmed yet."

const page = (state: FormState, next: string | undefined) =>
  narrowPage({
    ...state.response,
    title: "Sign in",
    body: signInForm.render(state, {
      action: "/login",
      hidden: { next },
      note: html`<p><a href="/forgot">Forgot your password?</a></p>`
    }),
    aside: html`New here? <a href="/signup${nextQuery(next)}">Create an account</a>`
  })
