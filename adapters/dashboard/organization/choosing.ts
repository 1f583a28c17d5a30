import * as Effect from "effect/Effect"
import { packs, starterCredits } from "../../../core/organization/pack.ts"
import { organizationNameMax } from "../../../core/person/form.ts"
import { createOrganization } from "../../../core/admin/organizations.ts"
import { html } from "../../html/html.ts"
import { redirectTo, showPage } from "../answer.ts"
import type { Fault } from "../fields.ts"
import { readFields } from "../fields.ts"
import { form, textField } from "../formParts.ts"
import type { MemberRequest, PersonRequest } from "../Page.ts"
import { memberPage, personPage } from "../Page.ts"
import { card, lead, pill, rows } from "../parts.ts"
import { nameFault, nameField } from "./naming.ts"

const choose = ({ memberships, person }: PersonRequest) =>
  Effect.sync(() => {
    const [only, ...others] = memberships
    if (only === undefined) return redirectTo("/dashboard/new")
    if (others.length === 0) return redirectTo(`/dashboard/${only.organizationId}/usage`)
    return showPage({
      title: `Welcome, ${person.name}`,
      body: html`${lead("Choose where you work today. Each organization has its own keys, credits and members.")}
${card({
  title: "Your organizations",
  action: html`<a class="button" href="/dashboard/new">New organization</a>`,
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

const home = (request: MemberRequest) => Effect.succeed(redirectTo(`${request.home}/usage`))

const showNew = ({ memberships }: PersonRequest) =>
  Effect.sync(() => newPage({ name: "", isFirst: memberships.length === 0, faults: [] }))

const create = Effect.fnUntraced(function* ({ form: sent, memberships, person }: PersonRequest) {
  const again = (faults: ReadonlyArray<Fault>) =>
    newPage({ name: sent.text("name"), isFirst: memberships.length === 0, faults, status: 422 })
  const read = readFields({ name: nameField }, sent)
  if (read._tag === "Faulty") return again(read.faults)
  const said = yield* createOrganization(person, read.values)
  switch (said._tag) {
    case "Founded": {
      const { organizationId } = said.organization
      return redirectTo(`/dashboard/${organizationId}/usage`, { says: "organization_created" })
    }
    case "TooMany":
      return again([{ field: "", says: tooMany(said.max) }])
    case "Form":
      return again([nameFault(said.code)])
  }
})

/** Where somebody goes first: to their organization, to a choice of several, or to making one. */
export const choosingPages = [
  personPage({ method: "GET", path: "/dashboard", answer: choose }),
  personPage({ method: "GET", path: "/dashboard/new", answer: showNew }),
  personPage({ method: "POST", path: "/dashboard/new", answer: create }),
  memberPage({ method: "GET", path: "/dashboard/:organization", answer: home })
] as const

const tooMany = (max: number): string =>
  `You have ${max} organizations on the ${packs.credits.title} pack already, and that is as many as one person ` +
  "may have. Use one of them, or choose a paid pack for it first."

const newPage = ({
  name,
  isFirst,
  faults,
  ...status
}: {
  readonly name: string
  readonly isFirst: boolean
  readonly faults: ReadonlyArray<Fault>
  readonly status?: number
}) =>
  showPage({
    ...status,
    title: isFirst ? "Create your organization" : "New organization",
    width: "narrow",
    body: html`${lead(
      `An organization has the keys and credits that calls are made with. It starts on the ${packs.credits.title} ` +
        `pack with ${starterCredits} credits, and you are its owner.`
    )}
<section class="card" aria-label="New organization">${form({
      action: "/dashboard/new",
      submit: "Create organization",
      faults,
      fields: [
        textField({
          name: "name",
          label: "Name of the organization",
          value: name,
          autocomplete: "organization",
          hint: "As your colleagues know it. It can be changed later.",
          charactersMax: organizationNameMax,
          faults
        })
      ],
      ...(isFirst ? {} : { cancel: "/dashboard" })
    })}</section>${isFirst ? invitedHint : html``}`
  })

const invitedHint = html`<p class="aside">Were you invited to one? Open the link of that letter instead.</p>`
