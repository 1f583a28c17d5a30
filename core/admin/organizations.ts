import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Organization } from "../organization/Organization.ts"
import { may } from "../organization/role.ts"
import { unpaidOrganizationsMax } from "../person/attempts.ts"
import { organizationNameMax, parseName } from "../person/form.ts"
import type { Actor, Person } from "../person/Person.ts"
import { identifyingName } from "../phi/storedText.ts"
import type { IdentifyingName } from "../phi/storedText.ts"
import { Members } from "../port/Members.ts"
import type { OrganizationsUnavailable } from "../port/Organizations.ts"
import { Organizations } from "../port/Organizations.ts"
import { newOrganization } from "./newOrganization.ts"
import type { Done } from "./withAudit.ts"
import { withAudit } from "./withAudit.ts"

/** Why a name is not stored as it was entered. */
export type NameFault = { readonly _tag: "Form"; readonly field: "name" } & (
  | { readonly code: "required" | "too_long" }
  | IdentifyingName
)

export type NewOrganization =
  | { readonly _tag: "Founded"; readonly organization: Organization }
  /** They own, or founded, as many organizations on the Credits pack as one person may. */
  | { readonly _tag: "TooMany"; readonly max: number }
  | NameFault

export type RenameResult =
  | { readonly _tag: "Renamed"; readonly organization: Organization }
  | { readonly _tag: "Unknown" }

/** Makes an organization on the Credits pack with its starter credits (§1), and the person its owner. */
export const createOrganization = Effect.fn("managing.found")(function* (
  person: Person,
  input: { readonly name: string }
) {
  const name = readName(input.name)
  if (Result.isFailure(name)) return name.failure
  const organization = yield* newOrganization({
    name: name.success,
    pack: "credits",
    ownerEmail: person.email
  })
  const members = yield* Members
  const founding = members.found({ organization, person, unpaidMax: unpaidOrganizationsMax })
  const { organizationId } = organization
  return yield* withAudit(
    { person, organizationId },
    Effect.map(founding, (said): Done<NewOrganization> => {
      if (said === "too_many")
        return { value: { _tag: "TooMany", max: unpaidOrganizationsMax }, auditedAction: null }
      const auditedAction = {
        action: "organization.created",
        subject: organization.name,
        detail: null
      } as const
      return { value: { _tag: "Founded", organization }, auditedAction }
    })
  )
})

/** Gives the organization another name. */
export const rename = Effect.fn("managing.rename")(function* (
  actor: Actor,
  input: { readonly name: string }
) {
  if (!may(actor.role, "rename_organization")) return { _tag: "Forbidden" } as const
  const name = readName(input.name)
  if (Result.isFailure(name)) return name.failure
  const organizations = yield* Organizations
  const { organizationId } = actor
  const renaming = Effect.gen(function* (): Effect.fn.Return<Done<RenameResult>, OrganizationsUnavailable> {
    const before = yield* organizations.find(organizationId)
    const change = { _tag: "Name", name: name.success } as const
    const organization = yield* organizations.change({ organizationId, change })
    if (before === undefined || organization === undefined)
      return { value: { _tag: "Unknown" }, auditedAction: null }
    const auditedAction = {
      action: "organization.renamed",
      subject: name.success,
      detail: `was ${before.name}`
    } as const
    return { value: { _tag: "Renamed", organization }, auditedAction }
  })
  return yield* withAudit(actor, renaming)
})

const readName = (text: string): Result.Result<string, NameFault> => {
  const name = parseName(text, organizationNameMax)
  if (Result.isFailure(name)) return Result.fail({ _tag: "Form", field: "name", code: name.failure })
  const identifying = identifyingName(name.success)
  return identifying === undefined
    ? Result.succeed(name.success)
    : Result.fail({ _tag: "Form", field: "name", ...identifying })
}
