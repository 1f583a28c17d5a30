import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { IsoDate, IsoTime } from "../../core/coverage/date.ts"
import type { KeyId } from "../../core/key/state.ts"
import { Keys } from "../../core/port/Keys.ts"
import { Releases } from "../../core/port/Releases.ts"
import type { ReleaseEnd, Release } from "../../core/release/Release.ts"
import { releaseState } from "../../core/release/Release.ts"
import { parseReleaseId } from "../../core/release/ReleaseId.ts"
import type { Answer } from "./Answer.ts"
import { Json } from "./Answer.ts"
import { refuse } from "./CommandRefused.ts"
import { overStores } from "./overStores.ts"
import { withoutProgress, withProgress } from "./progress.ts"
import { alignColumns, withThousands } from "./table.ts"

/** `release certify`: of all that was imported, as of one instant. */
export const certify = (input: { readonly sourceAsOf: IsoDate | null; readonly expiresAt: IsoTime | null }) =>
  Effect.gen(function* () {
    const began = yield* now
    if (input.expiresAt !== null && input.expiresAt <= began)
      return yield* refuse("VALIDATION_OUT_OF_RANGE", "--expires must lie in the future.")
    const show = (yield* Json) ? withoutProgress : withProgress
    const admin = yield* Effect.promise(() => import("../../core/admin/certify.ts"))
    const { isNew, release } = yield* show((onProgress) =>
      overStores(admin.certify({ origin: "imported", ...input }, onProgress))
    )
    const ended = yield* now
    const seconds = (Date.parse(ended) - Date.parse(began)) / 1_000
    const says = isNew
      ? `Certified in ${seconds} s, good until ${release.expiresAt}.`
      : `The same was certified on ${release.certifiedAt}, and that release stays as it is.`
    return {
      json: { ...shown(release, ended), unchanged: !isNew, seconds },
      text: [...card(release, ended), "", says]
    } satisfies Answer
  })

/** `release list`: the newest first. */
export const list = Effect.gen(function* () {
  const releases = yield* (yield* Releases).list
  const at = yield* now
  const rows = releases.map((release) => [
    release.releaseId,
    releaseState(release, at),
    release.manifest.source_as_of,
    withThousands(release.manifest.decision_count),
    release.certifiedAt
  ])
  return {
    json: { releases: releases.map((release) => shown(release, at)) },
    text:
      rows.length === 0
        ? ["Nothing was certified yet."]
        : alignColumns([["RELEASE", "STATE", "AS OF", "DECISIONS", "CERTIFIED"], ...rows])
  } satisfies Answer
})

/** `release show` */
export const show = Effect.fnUntraced(function* (text: string) {
  const release = yield* knownRelease(text)
  return yield* told(release)
})

/** `release expire` and `release revoke`: either is final, and the release is not available at once. */
export const end = Effect.fnUntraced(function* (text: string, ending: Pick<ReleaseEnd, "kind" | "reason">) {
  const { releaseId } = yield* knownRelease(text)
  const release = yield* (yield* Releases).end({ releaseId, ending: { ...ending, at: yield* now } })
  return yield* release === undefined ? unknownRelease : told(release)
})

/** `release assign`: from then on the key reads this release and no other. */
export const assign = Effect.fnUntraced(function* (text: string, keyId: KeyId) {
  const { releaseId } = yield* availableRelease(text)
  const assigned = yield* (yield* Keys).assign({ keyId, releaseId })
  if (assigned === undefined) return yield* refuse("RESOURCE_NOT_FOUND", "There is no key with this id.")
  if (assigned._tag === "Unfit") return yield* unfit[assigned.because]
  return {
    json: { release_id: releaseId, key_id: keyId },
    text: [`${keyId} reads ${releaseId} from now on.`]
  } satisfies Answer
})

/** The release of this id, which must be one that can be read now. */
export const availableRelease = Effect.fnUntraced(function* (text: string) {
  const release = yield* knownRelease(text)
  const state = releaseState(release, yield* now)
  return state === "available"
    ? release
    : yield* refuse("RESOURCE_RELEASE_NOT_AVAILABLE", `The release is ${state}: nobody can read it any more.`)
})

/** The release of this id, whatever became of it. */
export const knownRelease = Effect.fnUntraced(function* (text: string) {
  const releaseId = parseReleaseId(text)
  const release = releaseId === undefined ? undefined : yield* (yield* Releases).find(releaseId)
  return release ?? (yield* unknownRelease)
})

const unknownRelease = refuse(
  "RESOURCE_NOT_FOUND",
  "There is no release with this id: an id is rel_ and 64 digits, and `release list` shows them."
)

const unfit = {
  scope: refuse(
    "AUTHZ_SCOPE_REQUIRED",
    "The key lacks the scope certified:derived_decision:read, and no scope is ever added to a key: make another."
  ),
  test_key: refuse(
    "AUTH_TEST_KEY_SANDBOX_ONLY",
    "A test key reads the release of the sandbox's fixtures and no other."
  )
}

const now = Effect.map(DateTime.now, (time) => DateTime.formatIso(time) as IsoTime)

const told = (release: Release) =>
  Effect.map(now, (at): Answer => ({ json: shown(release, at), text: card(release, at) }))

const shown = (release: Release, at: IsoTime) => ({
  release_id: release.releaseId,
  state: releaseState(release, at),
  source_as_of: release.manifest.source_as_of,
  decisions: release.manifest.decision_count,
  policies: release.manifest.policy_count,
  dataset_sha256: release.manifest.dataset_sha256,
  source_set_sha256: release.manifest.source_set_sha256,
  certified_at: release.certifiedAt,
  expires_at: release.expiresAt,
  endings: release.endings
})

const card = (release: Release, at: IsoTime): ReadonlyArray<string> =>
  alignColumns([
    ["release", release.releaseId],
    ["state", stateText(release, at)],
    ["as of", release.manifest.source_as_of],
    ["decisions", withThousands(release.manifest.decision_count)],
    ["policies", withThousands(release.manifest.policy_count)],
    ["certified", release.certifiedAt],
    ["expires", release.expiresAt]
  ])

const stateText = (release: Release, at: IsoTime): string => {
  const reasons = release.endings.flatMap(({ reason }) => reason ?? [])
  return [releaseState(release, at), ...reasons].join(": ")
}
