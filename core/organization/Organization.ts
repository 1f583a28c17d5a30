import type * as Brand from "effect/Brand"
import type { IsoTime } from "../coverage/date.ts"
import type { PackName } from "./pack.ts"

/** `org_` and 26 lower-case Crockford characters. */
export type OrganizationId = string & Brand.Brand<"OrganizationId">

/** On whose behalf every call is made (§1). */
export interface Organization {
  readonly organizationId: OrganizationId
  readonly name: string
  readonly pack: PackName
  /** A lower pack that begins at the next renewal; null: none chosen. */
  readonly nextPack: PackName | null
  readonly suspended: boolean
  readonly suspendedReason: string | null
  /** The operator's own bound on calls in flight, below the pack's. */
  readonly concurrentMax: number | null
  readonly ownerEmail: string | null
  readonly createdAt: IsoTime
}
