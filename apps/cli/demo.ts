import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { readHcpcs } from "../../adapters/cms/readHcpcs.ts"
import { readIcd10cm } from "../../adapters/cms/readIcd10cm.ts"
import { readMcd } from "../../adapters/cms/readMcd.ts"
import type { KeyId } from "../../core/key/state.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { Organizations } from "../../core/port/Organizations.ts"
import { Settings } from "../../core/port/Settings.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import { importCodes } from "../../core/import/importCodes.ts"
import { importPolicies } from "../../core/import/importPolicies.ts"
import { changeKey, issueKey } from "../../core/admin/issueKeys.ts"
import { createOrganization } from "../../core/admin/newOrganization.ts"
import { readConfig } from "../http/config.ts"
import { keepShippedLists } from "../lists/shippedLists.ts"
import { fixturesFolder } from "../sandbox/library.ts"
import type { Answer } from "./Answer.ts"
import { refuse } from "./CommandRefused.ts"
import { configValue } from "./overStores.ts"

/**
 * `demo` (contract §4): an organization, a key and the invented sample library, once. Run again, it keeps the
 * organization and the library, and replaces the key, since a key is stored nowhere.
 */
export const demo = Effect.gen(function* () {
  const { dataDir, environment } = yield* configValue(readConfig)
  if (environment === "production") {
    return yield* refuse("DEMO_IN_PRODUCTION", "The sample library is invented: no demo in production.")
  }
  const file = join(dataDir, "demo.json")
  const before = existsSync(file) ? decodeNote(readFileSync(file, "utf8")) : undefined
  const known = before && (yield* (yield* Organizations).find(before.organization_id as OrganizationId))
  const { organizationId } =
    known ?? (yield* Effect.orDie(createOrganization({ name: "Demo", pack: "build", ownerEmail: null })))
  const hasSample = yield* loadSample
  if (known !== undefined && before !== undefined) {
    const reason = "replaced by the next demo key"
    yield* changeKey({ keyId: before.key_id as KeyId, action: "revoke", reason })
  }
  const issued = yield* issueKey({ ...plainKey, organizationId })
  if (issued._tag !== "Issued") return yield* Effect.die(new Error("the demo's organization has gone"))
  yield* Effect.sync(() => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const note = { organization_id: organizationId, key_id: issued.record.keyId }
    writeFileSync(file, JSON.stringify(note), { mode: 0o600 })
  })
  const { baseUrl } = yield* Settings
  return answerFor({ organizationId, key: issued.key, url: `${baseUrl}/api/v1/claims/validate`, hasSample })
})

const plainKey = {
  name: "demo",
  scopes: ["read", "write"],
  expiresAt: null,
  allowedCidrs: [],
  allowedOrigins: [],
  releaseId: null
} as const

/** What a later run has to know; the key itself is not in it. */
const Note = Schema.fromJsonString(Schema.Struct({ organization_id: Schema.String, key_id: Schema.String }))
const decodeNote = Schema.decodeUnknownSync(Note)

const quietly = () => Effect.void

/** The sample, unless the library holds policies of its own: invented ones never stand among real ones. */
const loadSample = Effect.scoped(
  Effect.gen(function* () {
    yield* keepShippedLists
    const sample = yield* readMcd(join(fixturesFolder, "mcd"))
    const policies = (yield* (yield* Snapshots).completed).filter(({ kind }) => kind === "mcd")
    if (policies.some(({ snapshotId }) => snapshotId !== sample.snapshotId)) return false
    yield* importPolicies(sample, quietly)
    const codes = join(fixturesFolder, "codes")
    yield* importCodes(yield* readHcpcs(join(codes, "hcpcs.txt")), quietly)
    yield* importCodes(yield* readIcd10cm(join(codes, "icd10cm-order-Oct-2025.txt")), quietly)
    return true
  })
)

/** A listed diagnosis, on a day that the sample's tables can judge. */
const question = JSON.stringify({
  procedure_codes: ["62323"],
  diagnosis_codes: ["M54.16"],
  state: "TX",
  date_of_service: "2026-06-01"
})

const answerFor = (made: {
  readonly organizationId: OrganizationId
  readonly key: string
  readonly url: string
  readonly hasSample: boolean
}): Answer => ({
  json: { organization_id: made.organizationId, key: made.key, url: made.url },
  text: [
    made.hasSample
      ? "The sample library is loaded. With the server running (npm start), ask it:"
      : "The library holds policies of its own, so the sample was left out. With the server running, ask it:",
    "",
    `curl -s -H "Authorization: Bearer ${made.key}" -H "Content-Type: application/json" \\`,
    `  -d '${question}' ${made.url}`,
    "",
    "The answer is conditional: send the condition_id of each condition that is met as attested_conditions.",
    "The key is shown this once; another run of demo makes a new one in its place."
  ]
})
