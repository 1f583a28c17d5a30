import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { canonicalCode } from "../coverage/codeText.ts"
import { refused } from "../error/Refusal.ts"
import { pageLimit } from "../operation/field.ts"
import { Crypto } from "../port/Crypto.ts"
import { Releases } from "../port/Releases.ts"
import type { DecisionPosition } from "../port/Releases.ts"
import type { HashText } from "../release/manifest.ts"
import { manifestSha256 } from "../release/manifest.ts"
import { decisionView } from "../release/record.ts"
import type { Release } from "../release/Release.ts"
import { releaseState } from "../release/Release.ts"
import type { Handler } from "./Handler.ts"

/**
 * GET /releases/{release_id}/decisions (§4.5, contract §2). Only the release that the key is assigned
 * answers; any other is not available in the same words, so that nobody learns which exist.
 */
export const makeReleaseHandlers = Effect.gen(function* () {
  const releases = yield* Releases
  const { sha256Hex } = yield* Crypto

  const listReleaseDecisions: Handler<"listReleaseDecisions"> = (
    { params, query },
    { caller, now, position }
  ) =>
    Effect.gen(function* () {
      const releaseId = params.release_id
      if (releaseId === null || releaseId !== caller.releaseId) return unavailable
      const release = yield* releases.find(releaseId)
      if (release === undefined || releaseState(release, now) !== "available") return unavailable
      const after = positionOf(position)
      if (after === undefined) return refused("REQUEST_INVALID_CURSOR")
      const limit = query.limit ?? pageLimit.standard
      const { decisions, next } = yield* releases.page({
        releaseId,
        code: canonicalCode(query.code),
        codeSystem: query.code_system ?? null,
        payerCode: query.payer_code ?? null,
        after,
        limit
      })
      const meta = metaOf(sha256Hex, release)
      return { _tag: "Data", data: decisions.map(decisionView), page: { next, limit }, meta }
    })

  return { listReleaseDecisions } as const
})

const unavailable = refused("RESOURCE_RELEASE_NOT_AVAILABLE")

const Position = Schema.NullOr(Schema.Struct({ policyId: Schema.String, codeSystem: Schema.String }))
const decodePosition = Schema.decodeUnknownResult(Position)

const positionOf = (position: unknown): DecisionPosition | null | undefined =>
  Result.getOrUndefined(decodePosition(position))

/** What every answer says of its release, the same for as long as it is available. */
const metaOf = (hash: HashText, { certifiedAt, expiresAt, manifest, releaseId, signature }: Release) => ({
  release_id: releaseId,
  release_manifest_sha256: manifestSha256(hash, manifest),
  dataset_sha256: manifest.dataset_sha256,
  source_set_sha256: manifest.source_set_sha256,
  field_profile: manifest.field_profile,
  release_schema_version: manifest.release_schema_version,
  source_as_of: manifest.source_as_of,
  expires_at: expiresAt,
  certified_at: certifiedAt,
  signature
})
