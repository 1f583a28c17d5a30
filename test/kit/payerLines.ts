import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { folder } from "./cmsFixtures.ts"

/** Files of payer policies, and records to make them of. */

export const writePayerFile = Effect.fnUntraced(function* (text: string | Uint8Array) {
  const path = join(yield* folder, "payer.ndjson")
  yield* Effect.promise(() => writeFile(path, text))
  return path
})

export const payer = {
  record: "payer",
  code: "acme",
  name: "Acme Health",
  type: "commercial",
  lines_of_business: ["commercial"]
}
export const version = { title: "Pumps", effective_date: "2024-01-01" }
export const policy = {
  record: "policy",
  policy_id: "ACME-1",
  policy_type: "Medical Policy",
  payer_code: "acme",
  versions: [version]
}

export const linesOf = (...records: ReadonlyArray<unknown>) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("")

/** A policy of one version that says this too. */
export const policySaying = (said: object) => ({ ...policy, versions: [{ ...version, ...said }] })
export const procedures = { group: 1, kind: "procedure", codes: ["E0601"] }
export const policyWithLogic = (logic_ast: unknown) =>
  policySaying({ criteria: [{ block_id: "c1", section: "indications", text: "When needed.", logic_ast }] })
export const policyWithRule = (rule: object) =>
  policySaying({
    prior_auth: [
      {
        rule_id: "r1",
        category: "Pumps",
        codes: ["E0601"],
        states: "all",
        sites: "all",
        effective_date: "2024-01-01",
        ...rule
      }
    ]
  })
