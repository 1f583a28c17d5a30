import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect } from "vitest"
import { blocksOf } from "../architecture/documents.ts"
import { certifyLibrary, exportText, imports, memoryCertifying } from "../kit/certifying.ts"
import { diagnoses, documentOf, procedure } from "../kit/library.ts"

const path = "docs/releases.md"
const text = readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8")
const shell = blocksOf({ path, text }).filter(({ language }) => language === "sh")

const tools = ["jq", "openssl", "sha256sum", "xxd", "base64"]
const missing = tools.filter((tool) => spawnSync("sh", ["-c", `command -v ${tool}`]).status !== 0)

/** Runs every block of the guide, in its order and one shell, over the export. */
const following = (exported: string): string => {
  const folder = mkdtempSync(join(tmpdir(), "coverage-verify-"))
  writeFileSync(join(folder, "release.ndjson"), exported)
  const script = shell.map((block) => block.text).join("\n")
  const ran = spawnSync("sh", ["-c", script], { cwd: folder, encoding: "utf8" })
  rmSync(folder, { recursive: true, force: true })
  return `${ran.stdout}${ran.stderr}`
}

const exported = Effect.gen(function* () {
  yield* imports([
    documentOf({ policyId: "L33831", codeGroups: [procedure("E0601", "K0001"), diagnoses("E1165")] }),
    documentOf({ policyId: "NCD 220.6", title: "Überblick", codeGroups: [procedure("E0601", "A0100")] })
  ])
  return yield* exportText(yield* certifyLibrary())
}).pipe((made) => Effect.provide(made, Layer.fresh(memoryCertifying)))

const right = [
  "the id is right",
  "the record is right",
  "the root is right",
  "Signature Verified Successfully"
]

describe("docs/releases.md", () => {
  it.live("verifies an export by hand, step by step as it says", () =>
    Effect.gen(function* () {
      if (missing.length > 0) return console.warn(`not followed, for want of ${missing.join(", ")}`)
      const said = following(yield* exported)
      for (const line of right) expect(said).toContain(line)
      expect(said).toMatch(/"alg":"EdDSA","b64":false,"certified_at":"[^"]+"/)
    })
  )

  it.live("finds by the same steps what was changed in the manifest and in a record", () =>
    Effect.gen(function* () {
      if (missing.length > 0) return console.warn(`not followed, for want of ${missing.join(", ")}`)
      const changed = (yield* exported)
        .replace('"origin":"imported"', '"origin":"fixtures"')
        .replace('"policy_version":1', '"policy_version":2')
      const said = following(changed)
      for (const line of [right[0], right[1], right[3]]) expect(said).not.toContain(line)
    })
  )
})
