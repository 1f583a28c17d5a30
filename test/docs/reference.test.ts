import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { openApi } from "../../adapters/http/openapi.ts"
import type { SandboxAnswers } from "../../adapters/http/openapi/examples.ts"
import kept from "../../adapters/http/openapi/sandboxAnswers.json" with { type: "json" }
import { takeAnswers } from "../../apps/reference/answers.ts"
import { fragmentsOf, withFragments } from "../../apps/reference/fragments.ts"
import { generatedFiles, staleFiles } from "../../apps/reference/generated.ts"
import type { pages } from "../../apps/reference/pages.ts"
import { referenceFolder } from "../../apps/reference/pages.ts"
import { variableNames } from "../../apps/http/variables.ts"
import { refusalsOf } from "../../core/admission/gates.ts"
import { errorAnchor } from "../../core/error/Refusal.ts"
import { errorCodes } from "../../core/error/table.ts"
import { operationIds, operationRow } from "../../core/operation/catalogue.ts"
import { packNames, packs } from "../../core/organization/pack.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))
const read = (path: string): string => readFileSync(root + path, "utf8")
const written = (name: keyof ReturnType<typeof pages>): string => read(`${referenceFolder}/${name}`)

const answers = kept as SandboxAnswers
const document = openApi("", answers)

/** A node of the document, followed by names; a reference is followed too. */
const at = (node: unknown, ...names: ReadonlyArray<string>): unknown => {
  const [name, ...rest] = names
  if (typeof node !== "object" || node === null) return name === undefined ? node : undefined
  const found: Record<string, unknown> = { ...node }
  const ref = found["$ref"]
  if (typeof ref === "string") return at(document, ...ref.slice(2).split("/"), ...names)
  return name === undefined ? node : at(found[name], ...rest)
}

const operationAt = (id: (typeof operationIds)[number], ...names: ReadonlyArray<string>): unknown => {
  const row = operationRow(id)
  return at(document, "paths", row.path, row.method.toLowerCase(), ...names)
}

const parameterOf = (id: (typeof operationIds)[number], name: string): unknown => {
  const parameters = operationAt(id, "parameters")
  return Array.isArray(parameters) ? parameters.find((one) => at(one, "name") === name) : undefined
}

describe("docs/reference", () => {
  it("is what the tables and the sandbox say today; `npm run generate` writes it", async () => {
    expect(staleFiles(root, generatedFiles(await takeAnswers(), read))).toEqual([])
  })

  it("names each file that differs, is absent, or belongs to nothing", () => {
    const wanted = generatedFiles(answers, read)
    const { [`${referenceFolder}/errors.md`]: _, ...fewer } = wanted
    const planted = { ...fewer, [`${referenceFolder}/packs.md`]: () => "other", "docs/new.md": () => "new" }
    expect(staleFiles(root, planted)).toEqual([
      "docs/new.md",
      `${referenceFolder}/errors.md`,
      `${referenceFolder}/packs.md`
    ])
  })

  it("finds a generated part of a guide that says something else, and a marker that nothing writes", () => {
    const fragments = fragmentsOf(answers)
    for (const [path, parts] of Object.entries(fragments)) {
      const text = read(path)
      for (const name of Object.keys(parts)) expect(text).toContain(`, ${name} -->`)
      expect(withFragments(fragments, path, text.replaceAll("| 2 | 5 s |", "| 2 | 6 s |"))).toBe(text)
      expect(() => withFragments(fragments, path, "<!-- from x, nothing -->\n\n<!-- end -->")).toThrow(
        /nothing writes/
      )
    }
  })

  it.each(["errors.md", "sandbox.md"] as const)(
    "§7.1 %s has every code under its docUrl's anchor once",
    (name) => {
      const anchors = [...written(name).matchAll(/^<a id="([^"]+)"><\/a>$/gm)].map((match) => match[1])
      expect(anchors).toEqual(errorCodes.map(errorAnchor))
    }
  )

  it("§4 has a row and a section for every operation", () => {
    const text = written("operations.md")
    for (const id of operationIds) {
      const { credits, method, path } = operationRow(id)
      expect(text).toContain(`| [\`${method} ${path}\`](#${id.toLowerCase()}) |`)
      expect(text).toMatch(new RegExp(`^## ${id}\n\n[^\n]+\n\nScope: [^\n]+ Cost: ${credits}\\.`, "m"))
    }
  })

  it("links from page to page only to anchors that are there", () => {
    const anchors = new Set([
      ...errorCodes.flatMap((code) => ["errors", "sandbox"].map((name) => `${name}.md#${errorAnchor(code)}`)),
      ...operationIds.map((id) => `operations.md#${id.toLowerCase()}`)
    ])
    const linked = [written("errors.md"), written("operations.md"), written("sandbox.md")].flatMap((text) =>
      [...text.matchAll(/\]\(\.\/(\w+\.md#[^)]+)\)/g)].map((match) => match[1])
    )
    expect(linked.length).toBeGreaterThan(100)
    expect(linked.filter((link) => link !== undefined && !anchors.has(link))).toEqual([])
  })

  it("names every variable of the environment and every pack", () => {
    const rows = [...written("configuration.md").matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1])
    expect(rows).toEqual(variableNames)
    for (const name of packNames) expect(written("packs.md")).toContain(` ${packs[name].title} |`)
  })
})

describe("openapi.json", () => {
  it.each(operationIds)("says of %s its cost, its scopes and each error code under its status", (id) => {
    const row = operationRow(id)
    expect(operationAt(id, "operationId")).toBe(id)
    expect(operationAt(id, "x-credit-cost")).toBe(row.credits)
    expect(operationAt(id, "x-required-scopes") === undefined).toBe(row.requirement === null)
    const responses = operationAt(id, "responses")
    const statuses = Object.keys(at(responses) ?? {}).filter((status) => Number(status) >= 400)
    const shown = statuses.flatMap((status) => String(at(responses, status, "description")).split(", "))
    expect(shown.toSorted()).toEqual(refusalsOf(row).toSorted())
  })

  it("shows an integer of a query or a path as an integer with its range", () => {
    expect(at(parameterOf("listPolicies", "limit"), "schema")).toEqual({
      type: "integer",
      minimum: 1,
      maximum: 100
    })
    const id = { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
    expect(at(parameterOf("deleteWebhook", "id"), "schema")).toEqual(id)
  })

  it("keeps lengths, patterns and words, and closes the objects that refuse unknown members", () => {
    const body = ["requestBody", "content", "application/json", "schema"]
    const codes = operationAt("validateClaim", ...body, "properties", "procedure_codes")
    expect(at(codes, "maxItems")).toBe(10)
    expect(at(codes, "items")).toMatchObject({ type: "string", minLength: 1, maxLength: 20 })
    expect(operationAt("checkPriorAuth", ...body, "properties", "state", "pattern")).toBe("^[A-Za-z]{2}$")
    expect(operationAt("validateClaim", ...body, "additionalProperties")).toBe(false)
    const parameters = operationAt("evaluateCoverage", ...body, "properties", "parameters")
    expect(at(parameters, "additionalProperties")).toBe(false)
    expect(operationAt("evaluateCoverage", ...body, "additionalProperties")).toBeUndefined()
    expect(at(parameterOf("listPolicies", "status"), "schema", "enum")).toEqual(["active", "retired", "all"])
  })

  it("refers only to components that are there, and describes each path's parameters", () => {
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      (match) => match[1] ?? ""
    )
    expect(refs.filter((ref) => at(document, ...ref.split("/")) === undefined)).toEqual([])
    for (const id of operationIds) {
      const named = [...operationRow(id).path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "")
      expect(named.filter((name) => at(parameterOf(id, name), "in") !== "path")).toEqual([])
    }
  })

  it("gives whole addresses when it is served", () => {
    const [live] = [at(openApi("https://api.example.com", answers), "servers")].flat()
    expect(at(live, "url")).toBe("https://api.example.com/api/v1")
  })
})
