import * as Effect from "effect/Effect"
import { may } from "../../../core/organization/role.ts"
import { organizationNameMax } from "../../../core/person/form.ts"
import { rename as renameOrganization } from "../../../core/admin/organizations.ts"
import { requestReset } from "../../../core/admin/people.ts"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import { forbidden, notFound, redirectTo, showPage, whoMay } from "../answer.ts"
import type { Fault } from "../fields.ts"
import { readFields } from "../fields.ts"
import { actionButton, form, summary, textField } from "../formParts.ts"
import type { MemberRequest } from "../Page.ts"
import { memberPage } from "../Page.ts"
import { card, copyable, lead, pill } from "../parts.ts"
import { limitedFault, limitedStatus } from "../people/limited.ts"
import { nameFault, nameField } from "./naming.ts"

const show = (request: MemberRequest) =>
  Effect.sync(() => page(request, { name: request.membership.organizationName, faults: [], above: [] }))

const rename = Effect.fnUntraced(function* (request: MemberRequest) {
  const again = (faults: ReadonlyArray<Fault>) =>
    page(request, { name: request.form.text("name"), faults, above: [], status: 422 })
  const read = readFields({ name: nameField }, request.form)
  if (read._tag === "Faulty") return again(read.faults)
  const said = yield* renameOrganization(request.actor, read.values)
  switch (said._tag) {
    case "Renamed":
      return redirectTo(`${request.home}/settings`, { says: "organization_renamed" })
    case "Form":
      return again([nameFault(said.code)])
    case "Unknown":
      return notFound
    case "Forbidden":
      return forbidden("rename_organization")
  }
})

const changePassword = Effect.fnUntraced(function* (request: MemberRequest) {
  const { device, home, membership, nowMs, person } = request
  const said = yield* requestReset({ email: person.email, device })
  if (said._tag === "Asked") return redirectTo(`${home}/settings`, { says: "password_link_sent" })
  const above = [limitedFault(said, nowMs)]
  return page(request, { name: membership.organizationName, faults: [], above, ...limitedStatus(said) })
})

/** The organization's name, and the account of whoever looks. */
export const settingsPages = [
  memberPage({ method: "GET", path: "/dashboard/:organization/settings", answer: show }),
  memberPage({
    method: "POST",
    path: "/dashboard/:organization/settings",
    permission: "rename_organization",
    answer: rename
  }),
  memberPage({
    method: "POST",
    path: "/dashboard/:organization/settings/password",
    answer: changePassword
  })
] as const

const page = (
  request: MemberRequest,
  {
    name,
    faults,
    above,
    ...status
  }: {
    readonly name: string
    readonly faults: ReadonlyArray<Fault>
    /** What stands above all cards. */
    readonly above: ReadonlyArray<Fault>
    readonly status?: number
    readonly headers?: Readonly<Record<string, string>>
  }
) =>
  showPage({
    ...status,
    title: "Settings",
    section: "settings",
    body: html`${lead("The name of the organization, and your own account.")}${summary(above)}
${organizationCard(request, name, faults)}${accountCard(request)}`
  })

const organizationCard = (request: MemberRequest, name: string, faults: ReadonlyArray<Fault>): Html =>
  card({
    title: "Organization",
    body: html`${
      may(request.actor.role, "rename_organization")
        ? form({
            action: `${request.home}/settings`,
            submit: "Save",
            layout: "across",
            faults,
            fields: [
              textField({
                name: "name",
                label: "Name",
                value: name,
                autocomplete: "organization",
                charactersMax: organizationNameMax,
                faults
              })
            ]
          })
        : html`<p>${request.membership.organizationName}</p><p class="muted">${whoMay("rename_organization")}</p>`
    }<dl class="facts"><dt>Organization id</dt><dd>${copyable({
      id: "organization-id",
      text: request.actor.organizationId,
      label: "the organization id"
    })}</dd><dt>Your role</dt><dd>${pill(request.actor.role)}</dd></dl>`
  })

const accountCard = ({ home, person }: MemberRequest): Html =>
  card({
    title: "Your account",
    body: html`<dl class="facts"><dt>Name</dt><dd>${person.name}</dd><dt>E-mail address</dt>
<dd>${person.email}</dd></dl>
<p class="muted">To change your password, have a link sent to your address. You are then signed out everywhere.</p>
<div class="actions">${actionButton({ action: `${home}/settings/password`, label: "Send me the link" })}
${actionButton({ action: "/logout", label: "Sign out" })}</div>`
  })
