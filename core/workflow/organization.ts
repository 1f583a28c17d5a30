import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { IsoTime } from "../coverage/date.ts"
import { idRandomBytes, timeId } from "../operation/timeId.ts"
import type { Organization, OrganizationId } from "../organization/Organization.ts"
import type { PackName } from "../organization/pack.ts"
import { Crypto } from "../port/Crypto.ts"
import { Organizations } from "../port/Organizations.ts"

/**
 * Makes an organization with its account and starter credits (§1); sign-up and the command line both come
 * here.
 */
export const createOrganization = Effect.fn("organization.create")(function* (wish: {
  readonly name: string
  readonly pack: PackName
  readonly ownerEmail: string | null
}) {
  const crypto = yield* Crypto
  const organizations = yield* Organizations
  const nowMs = yield* Clock.currentTimeMillis
  const id = timeId({ nowMs, randomBytes: crypto.randomBytes(idRandomBytes) })
  const organization: Organization = {
    ...wish,
    organizationId: `org_${id}` as OrganizationId,
    nextPack: null,
    suspended: false,
    suspendedReason: null,
    concurrentMax: null,
    createdAt: DateTime.formatIso(DateTime.makeUnsafe(nowMs)) as IsoTime
  }
  yield* organizations.create(organization)
  return organization
})
