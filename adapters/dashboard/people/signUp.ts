import * as Effect from "effect/Effect"
import { personNameMax } from "../../../core/person/form.ts"
import { passwordCharacters } from "../../../core/person/password.ts"
import * as managing from "../../../core/admin/people.ts"
import { html } from "../../html/html.ts"
import { redirectTo, showPage } from "../answer.ts"
import type { Fault } from "../fields.ts"
import { emailText, newPassword, readFields, requiredText } from "../fields.ts"
import { form, textField } from "../formParts.ts"
import { nextOf, nextQuery } from "../next.ts"
import type { OpenRequest } from "../Page.ts"
import { openPage } from "../Page.ts"
import { lead } from "../parts.ts"
import { limitedFault, limitedStatus } from "./limited.ts"

const show = (request: OpenRequest) =>
  Effect.sync(() => {
    const next = nextOf(request.query.get("next"))
    return request.person === undefined
      ? page({ name: "", email: "", next, faults: [] })
      : redirectTo(next ?? "/dashboard")
  })

const fields = {
  name: requiredText({ missing: "Write your name.", charactersMax: personNameMax }),
  email: emailText,
  password: newPassword
}

const signUp = Effect.fnUntraced(function* ({ device, form: sent, nowMs }: OpenRequest) {
  const next = nextOf(sent.text("next"))
  const written = { name: sent.text("name"), email: sent.text("email"), next }
  const read = readFields(fields, sent)
  if (read._tag === "Faulty") return page({ ...written, faults: read.faults, status: 422 })
  const said = yield* managing.signUp({ ...read.values, next: next ?? null, device })
  switch (said._tag) {
    case "MailSent":
      return redirectTo("/signup/sent")
    case "Limited":
      return page({ ...written, faults: [limitedFault(said, nowMs)], ...limitedStatus(said) })
    case "Form": {
      const fault = { field: said.field, says: "This is not taken as it is written." }
      return page({ ...written, faults: [fault], status: 422 })
    }
  }
})

const sent = ({ mailIsLogged }: OpenRequest) =>
  Effect.succeed(
    showPage({
      title: "Check your mail",
      width: "narrow",
      body: html`<section class="card" aria-label="Next"><p>We sent a letter to the address you wrote. Open its link
within a day to confirm the address and sign in.</p>
${mailIsLogged ? loggedHint : html``}
<p class="muted">Nothing came? Look among unwanted mail, and whether the address was right; then
<a href="/signup">sign up again</a>. An earlier letter may be the one that counts if you had an account already.</p>
<div class="actions"><a class="button" href="/login">To sign-in</a></div></section>`
    })
  )

const loggedHint = html`<p class="notice note">This service has no mail server yet (<code>SMTP_URL</code>), so the
letter stands in its log: open the link from there.</p>`

// The link of the letter only shows a button: what merely looks at links, as mail filters do, spends none.
const showVerify = ({ query }: OpenRequest) =>
  Effect.sync(() => {
    const token = query.get("token") ?? ""
    return token === "" ? linkEnded : verifyPage({ token, next: nextOf(query.get("next")), faults: [] })
  })

const verify = Effect.fnUntraced(function* ({ device, form: sent, nowMs }: OpenRequest) {
  const next = nextOf(sent.text("next"))
  const token = sent.text("token")
  const said = yield* managing.verify({ token, password: sent.text("password"), device })
  switch (said._tag) {
    case "SignedIn":
      return redirectTo(next ?? "/dashboard", { says: "address_verified", cookies: said.cookies })
    case "LinkEnded":
      return linkEnded
    case "Wrong":
      return verifyPage({ token, next, faults: [otherPassword], status: 422 })
    case "Limited": {
      const faults = [limitedFault(said, nowMs)]
      return verifyPage({ token, next, faults, ...limitedStatus(said) })
    }
  }
})

/** Signing up, and the letter that confirms the address. */
export const signUpPages = [
  openPage({ method: "GET", path: "/signup", answer: show }),
  openPage({ method: "POST", path: "/signup", answer: signUp }),
  openPage({ method: "GET", path: "/signup/sent", answer: sent }),
  openPage({ method: "GET", path: "/verify", answer: showVerify }),
  openPage({ method: "POST", path: "/verify", answer: verify })
] as const

interface Written {
  readonly next: string | undefined
  readonly faults: ReadonlyArray<Fault>
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

const page = ({
  name,
  email,
  next,
  faults,
  ...status
}: Written & { readonly name: string; readonly email: string }) =>
  showPage({
    ...status,
    title: "Create your account",
    width: "narrow",
    body: html`${lead("Then you create an organization, which gets 100 starter credits, and a key for its calls.")}
<section class="card" aria-label="Sign-up">${form({
      action: "/signup",
      submit: "Create account",
      faults,
      hidden: next === undefined ? {} : { next },
      fields: fieldsOf({ name, email, faults })
    })}</section>
<p class="aside">Have an account? <a href="/login${nextQuery(next)}">Sign in</a></p>`
  })

const fieldsOf = ({
  name,
  email,
  faults
}: {
  readonly name: string
  readonly email: string
  readonly faults: ReadonlyArray<Fault>
}) => [
  textField({
    name: "name",
    label: "Your name",
    value: name,
    autocomplete: "name",
    charactersMax: personNameMax,
    faults
  }),
  textField({
    name: "email",
    label: "E-mail address",
    type: "email",
    value: email,
    autocomplete: "email",
    hint: "We send a link to it that confirms it is yours.",
    faults
  }),
  textField({
    name: "password",
    label: "Password",
    type: "password",
    autocomplete: "new-password",
    hint: `At least ${passwordCharacters.min} characters; a few words are good.`,
    faults
  })
]

const verifyPage = ({ token, next, faults, ...status }: Written & { readonly token: string }) =>
  showPage({
    ...status,
    title: "Confirm your address",
    width: "narrow",
    body: html`<section class="card" aria-label="Confirmation"><p>One step is left: confirm that this address is
yours with the password you chose. If you did not sign up, close this page: nothing happens.</p>${form({
      action: "/verify",
      submit: "Confirm and sign in",
      faults,
      hidden: { token, ...(next === undefined ? {} : { next }) },
      fields: [
        textField({
          name: "password",
          label: "Password",
          type: "password",
          autocomplete: "current-password",
          hint: "The one you wrote when you signed up.",
          faults
        })
      ]
    })}</section>`
  })

const otherPassword: Fault = {
  field: "password",
  says: "This letter was asked for with another password. If you have forgotten yours, sign up again."
}

const linkEnded = showPage({
  status: 410,
  title: "This link has ended",
  width: "narrow",
  body: html`<section class="card" aria-label="Next"><p>It works once and for a day. If you confirmed your address
already, sign in; otherwise sign up again to be sent another.</p><div class="actions"><a class="button primary"
href="/login">Sign in</a><a class="button" href="/signup">Sign up again</a></div></section>`
})
