import * as Effect from "effect/Effect"
import { passwordCharacters, passwordSays } from "../../../core/person/password.ts"
import * as managing from "../../../core/admin/people.ts"
import { html } from "../../html/html.ts"
import { redirectTo, showPage } from "../answer.ts"
import type { Fault } from "../fields.ts"
import { emailText, newPassword, readFields } from "../fields.ts"
import { form, textField } from "../formParts.ts"
import type { OpenRequest } from "../Page.ts"
import { openPage } from "../Page.ts"
import { lead } from "../parts.ts"
import { limitedFault, limitedStatus } from "./limited.ts"

const showForgot = () => Effect.succeed(forgotPage({ email: "", faults: [] }))

const forgot = Effect.fnUntraced(function* ({ device, form: sent, nowMs }: OpenRequest) {
  const email = sent.text("email")
  const read = readFields({ email: emailText }, sent)
  if (read._tag === "Faulty") return forgotPage({ email, faults: read.faults, status: 422 })
  const said = yield* managing.requestReset({ email: read.values.email, device })
  if (said._tag === "Limited")
    return forgotPage({ email, faults: [limitedFault(said, nowMs)], ...limitedStatus(said) })
  return redirectTo("/login", { says: "reset_sent" })
})

const showReset = ({ query }: OpenRequest) =>
  Effect.sync(() => {
    const token = query.get("token") ?? ""
    return token === "" ? redirectTo("/forgot") : resetPage({ token, faults: [] })
  })

const reset = Effect.fnUntraced(function* ({ device, form: sent, nowMs }: OpenRequest) {
  const token = sent.text("token")
  const read = readFields({ password: newPassword }, sent)
  if (read._tag === "Faulty") return resetPage({ token, faults: read.faults, status: 422 })
  const said = yield* managing.reset({ token, password: read.values.password, device })
  switch (said._tag) {
    case "Done":
      return redirectTo("/login", { says: "password_changed" })
    case "LinkEnded":
      return linkEnded
    case "Limited":
      return resetPage({ token, faults: [limitedFault(said, nowMs)], ...limitedStatus(said) })
    case "Form": {
      const says = said.field === "password" ? passwordSays[said.code] : "This is not taken."
      return resetPage({ token, faults: [{ field: "password", says }], status: 422 })
    }
  }
})

/** Another password, by a letter. */
export const resetPages = [
  openPage({ method: "GET", path: "/forgot", answer: showForgot }),
  openPage({ method: "POST", path: "/forgot", answer: forgot }),
  openPage({ method: "GET", path: "/reset", answer: showReset }),
  openPage({ method: "POST", path: "/reset", answer: reset })
] as const

interface ResetState {
  readonly faults: ReadonlyArray<Fault>
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

const forgotPage = ({ email, faults, ...status }: ResetState & { readonly email: string }) =>
  showPage({
    ...status,
    title: "Choose another password",
    width: "narrow",
    body: html`${lead("Write the address of your account; a link to choose another password is sent to it.")}
<section class="card" aria-label="Reset">${form({
      action: "/forgot",
      submit: "Send the link",
      faults,
      fields: [
        textField({
          name: "email",
          label: "E-mail address",
          type: "email",
          value: email,
          autocomplete: "username",
          faults
        })
      ]
    })}</section>
<p class="aside"><a href="/login">Back to sign-in</a></p>`
  })

const resetPage = ({ token, faults, ...status }: ResetState & { readonly token: string }) =>
  showPage({
    ...status,
    title: "Choose another password",
    width: "narrow",
    body: html`${lead("You are then signed out everywhere, and sign in with the new one.")}
<section class="card" aria-label="Reset">${form({
      action: "/reset",
      submit: "Change password",
      faults,
      hidden: { token },
      fields: [
        textField({
          name: "password",
          label: "New password",
          type: "password",
          autocomplete: "new-password",
          hint: `At least ${passwordCharacters.min} characters; a few words are good.`,
          faults
        })
      ]
    })}</section>`
  })

const linkEnded = showPage({
  status: 410,
  title: "This link has ended",
  width: "narrow",
  body: html`<section class="card" aria-label="Next"><p>It works once and for an hour.</p><div class="actions"><a
class="button primary" href="/forgot">Send another</a></div></section>`
})
