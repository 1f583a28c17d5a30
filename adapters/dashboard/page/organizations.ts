import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { packs, starterCredits } from "../../../core/organization/pack.ts"
import { organizationNameMax } from "../../../core/person/form.ts"
import { createOrganization } from "../../../core/admin/organizations.ts"
import { html } from "../../html/html.ts"
import { textField } from "../fields.ts"
import type { FormState } from "../form.ts"
import { makeForm, newForm, rejectField, rejectForm } from "../form.ts"
import type { MemberRequest, PersonRequest } from "../Page.ts"
import { redirectTo, showPage } from "../Page.ts"
import { card, lead, linkButton, narrowPage, pill, rows } from "../parts.ts"

/** The name of an organization. */
export const organizationName = (label: string, hint?: string) =>
  textField({
    label,
    ...(hint !== undefined && { hint }),
    missing: "Enter a name for the organization.",
    charactersMax: organizationNameMax,
    autocomplete: "organization"
  })

const newOrganizationForm = makeForm("Create organization", {
  name: organizationName("Organization name", "You can change it later.")
})

/** Goes to the only organization, to a choice of several, or to the form for the first. */
export const showOrganizations = ({ memberships, person }: PersonRequest) =>
  Effect.sync(() => {
    const [only, ...others] = memberships
    if (only === undefined) return redirectTo("/dashboard/new")
    if (others.length === 0) return redirectTo(`/dashboard/${only.organizationId}/usage`)
    return showPage({
      title: `Welcome, ${person.name}`,
      body: html`${lead("Choose an organization. Each has its own keys, credits and members.")}
${card({
  title: "Your organizations",
  action: linkButton({ href: "/dashboard/new", label: "New organization" }),
  body: rows(
    memberships.map(({ organizationId, organizationName, role }) => ({
      title: html`<a class="whole" href="/dashboard/${organizationId}/usage">${organizationName}</a>`,
      says: html`<code>${organizationId}</code>`,
      actions: [pill(role)]
    }))
  )
})}`
    })
  })

/** The first page of an organization is its usage. */
export const goHome = ({ home }: MemberRequest) => Effect.succeed(redirectTo(`${home}/usage`))

/** Shows the form for a new organization. */
export const showNew = (request: PersonRequest) => Effect.sync(() => newPage(request, newForm()))

/** Creates an organization with the person as its owner. */
export const create = Effect.fnUntraced(function* (request: PersonRequest) {
  const { form, person } = request
  const input = newOrganizationForm.parse(form)
  if (Result.isFailure(input)) return newPage(request, input.failure)
  const result = yield* createOrganization(person, input.success)
  switch (result._tag) {
    case "Founded":
      return redirectTo(`/dashboard/${result.organization.organizationId}/usage`, "organization_created")
    case "TooMany":
      return newPage(request, rejectForm(form, { field: "", says: tooMany(result.max) }))
    case "Form":
      return newPage(request, rejectField(form, result))
  }
})

const tooMany = (max: number): string =>
  `You already have ${max} organizations on the ${packs.credits.title} plan, the most one person can have. ` +
  "Use one of them, or choose a paid plan for it first."

const newPage = ({ memberships }: PersonRequest, state: FormState) => {
  const isFirst = memberships.length === 0
  return narrowPage({
    ...state.response,
    title: isFirst ? "Create your organization" : "New organization",
    says:
      `An organization has the keys and credits for your calls. It starts on the ${packs.credits.title} plan with ` +
      `${starterCredits} credits, and you are its owner.`,
    body: newOrganizationForm.render(state, {
      action: "/dashboard/new",
      cancel: isFirst ? undefined : "/dashboard"
    }),
    ...(isFirst && { aside: html`Were you invited to one? Open the link in that email instead.` })
  })
}
