import type { IsoTime } from "../coverage/date.ts"
import type { PolicyId } from "../coverage/Policy.ts"
import type { OrganizationId } from "../organization/Organization.ts"

/** `notes` of an acknowledgement, in characters (contract §2, Compliance). */
export const notesCharactersMax = 500
/** Changes that one bulk acknowledgement may name. */
export const bulkMax = 200

/** An organization has seen a change of a policy; at most one for each organization and change. */
export interface Acknowledgement {
  readonly acknowledgementId: number
  readonly organizationId: OrganizationId
  readonly diffId: number
  readonly policyId: PolicyId
  /** The organization's own words: kept with it, and in no event. */
  readonly notes: string | null
  readonly acknowledgedAt: IsoTime
}
