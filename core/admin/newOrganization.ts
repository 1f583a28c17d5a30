import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { IsoTime } from "../coverage/date.ts"
import { idRandomBytes, timeId } from "../id/timeId.ts"
import type { Organization, OrganizationId } from "../organization/Organization.ts"
import type { PackName } from "../organization/pack.ts"
import { Crypto } from "../port/Crypto.ts"
import { Organizations } from "../port/Organizations.ts"

/** What is decided about an organization before there is one. */
export interface OrganizationRequest {
  readonly name: string
  readonly pack: PackName
  readonly ownerEmail: string | null
}

/** Makes an organization with its account and starter credits (§1), as the command line does. */
export const createOrganization = Effect.fn("organization.create")(function* (input: OrganizationRequest) {
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
