import * as Effect from "effect/Effect"
import type { IsoTime } from "../../core/coverage/date.ts"
import { Releases } from "../../core/port/Releases.ts"
import { certificateOf, decisionsFor, makingOf } from "../kit/releases.ts"

const policies = [decisionsFor("L33831", "E0601", "K0001"), decisionsFor("A52423", "E0601")]
const times = { expiresAt: "2099-01-01T00:00:00.000Z" as IsoTime }
const hashes = policies.flatMap(({ codes }) => codes.map(({ recordSha256 }) => recordSha256)).toSorted()

/** The release that the suites' certified keys are for. */
export const seededReleaseId = certificateOf(hashes, times).releaseId

/** Keeps that release. */
export const seedRelease = Effect.flatMap(Releases, (releases) => releases.save(makingOf(policies, times)))
