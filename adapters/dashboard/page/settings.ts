import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { may } from "../../../core/organization/role.ts"
import { rename as renameOrganization } from "../../../core/admin/organizations.ts"
import { requestReset } from "../../../core/admin/people.ts"
import { html } from "../../html/html.ts"
import type { FormState } from "../form.ts"
import { actionButton, faultSummary, limitForm, makeForm, newForm, rejectField } from "../form.ts"
import type { MemberRequest } from "../Page.ts"
import { redirectTo, showPage } from "../Page.ts"
import { actions, card, copyable, facts, lead, small, pill, whoMay } from "../parts.ts"
import { organizationName } from "./organizations.ts"

const nameForm = makeForm("Save", { name: organizationName("Name") })

/** Shows the organization's name and the person's account. */
export const showSettings = (request: MemberRequest) => Effect.sync(() => page(request, unchanged(request)))

/** Renames the organization. */
export const rename = Effect.fnUntraced(function* (request: MemberRequest) {
  const input = nameForm.parse(request.form)
  if (Result.isFailure(input)) return page(request, input.failure)
  const result = yield* renameOrganization(request.actor, input.success)
  switch (result._tag) {
    case "Renamed":
      return redirectTo(`${request.home}/settings`, "organization_renamed")
    case "Form":
      return page(request, rejectField(request.form, result))
    case "Unknown":
    case "Forbidden":
      return result
  }
})

/** Emails the person a link to change the password. */
export const sendPasswordLink = Effect.fnUntraced(function* (request: MemberRequest) {
  const { cookie, device, home, person } = request
  const result = yield* requestReset({ email: person.email, cookie, device })
  if (result._tag === "Asked") return redirectTo(`${home}/settings`, "password_link_sent")
  const { faults, response } = limitForm(request, result)
  return page(request, { ...unchanged(request), response }, faults)
})

const unchanged = ({ membership }: MemberRequest): FormState => newForm({ name: membership.organizationName })

const page = (request: MemberRequest, state: FormState, faults: FormState["faults"] = []) => {
  const { actor, home, membership, person } = request
  return showPage({
    ...state.response,
    title: "Settings",
    section: "settings",
    body: html`${lead("The name of the organization, and your own account.")}${faultSummary(faults)}
${card({
  title: "Organization",
  body: html`${
    may(actor.role, "rename_organization")
      ? nameForm.render(state, { action: `${home}/settings`, layout: "across" })
      : html`<p>${membership.organizationName}</p>${small(whoMay("rename_organization"))}`
  }${facts([
    [
      "Organization ID",
      copyable({ id: "organization-id", text: actor.organizationId, label: "the organization ID" })
    ],
    ["Your role", pill(actor.role)]
  ])}`
})}${card({
  title: "Your account",
  body: html`${facts([
    ["Name", person.name],
    ["Email", person.email]
  ])}
${small("To change your password, request a link by email. Changing it signs you out everywhere.")}
${actions(
  actionButton({ action: `${home}/settings/password`, label: "Email me a link" }),
  actionButton({ action: "/logout", label: "Sign out" })
)}`
})}`
  })
}
