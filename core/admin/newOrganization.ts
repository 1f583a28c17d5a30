import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { IsoTime } from "../coverage/date.ts"
import { idRandomBytes, timeId } from "../id/timeId.ts"
import type { Organization, OrganizationId } from "../organization/Organization.ts"
import type { PackName } from "../organization/pack.ts"
import type { Kind } from "../phi/kinds.ts"
import { identifyingName } from "../phi/storedText.ts"
import { Crypto } from "../port/Crypto.ts"
import { Organizations } from "../port/Organizations.ts"

/** The requested name contains what looks like a patient identifier. */
export class NameNotAllowed extends Data.TaggedError("NameNotAllowed")<{
  readonly kinds: ReadonlyArray<Kind>
}> {}

/** What is decided about an organization before there is one. */
export interface OrganizationRequest {
  readonly name: string
  readonly pack: PackName
  readonly ownerEmail: string | null
}

/**
 * Creates an organization with its account and starter credits (§1), as the command line does. Fails if the
 * name contains a patient identifier (phi.md).
 */
export const createOrganization = Effect.fn("organization.create")(function* (input: OrganizationRequest) {
  const identifying = identifyingName(input.name)
  if (identifying !== undefined) return yield* new NameNotAllowed({ kinds: identifying.kinds })
  const organization = yield* newOrganization(input)
  yield* (yield* Organizations).create(organization)
  return organization
})

/** An organization as it begins, written nowhere yet; sign-up and the command line both come here. */
export const newOrganization = Effect.fnUntraced(function* (input: OrganizationRequest) {
  const crypto = yield* Crypto
  const nowMs = yield* Clock.currentTimeMillis
  const id = timeId({ nowMs, randomBytes: crypto.randomBytes(idRandomBytes) })
  const organization: Organization = {
    ...input,
    organizationId: `org_${id}` as OrganizationId,
    nextPack: null,
    suspended: false,
    suspendedReason: null,
    concurrentMax: null,
    createdAt: DateTime.formatIso(DateTime.makeUnsafe(nowMs)) as IsoTime
  }
  return organization
})
