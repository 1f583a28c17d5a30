import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import type { BodyReading } from "../../core/admission/body.ts"
import { decodeInput } from "../../core/admission/decode.ts"
import type { RawInput } from "../../core/admission/decode.ts"
import { refusalsOf } from "../../core/admission/gates.ts"
import { errorRow, isRefusal } from "../../core/error/Refusal.ts"
import { operationIds, operationRow } from "../../core/operation/catalogue.ts"
import type { OperationId } from "../../core/operation/catalogue.ts"
import { shapeOf } from "../../core/operation/shape.ts"
import type { Shape } from "../../core/operation/shape.ts"
import { writeCursor } from "../../core/page/cursor.ts"
import { fieldName, kindByName } from "../../core/phi/fieldNames.ts"
import { kinds } from "../../core/phi/kinds.ts"
import { depthMax, findingsMax, nodesMax } from "../../core/phi/scan.ts"

const nothing: RawInput = {
  params: {},
  query: {},
  accept: undefined,
  contentType: undefined,
  contentEncoding: undefined
}
const textOf = (body: unknown): BodyReading => ({ _tag: "Text", text: JSON.stringify(body) })

interface Details {
  readonly findings?: ReadonlyArray<{ readonly path: string; readonly kind: string }>
  readonly fields?: ReadonlyArray<{ readonly path: string; readonly code: string }>
}

const refusalOf = (id: OperationId, raw: Partial<RawInput>, body: unknown = undefined) => {
  const reading: BodyReading = body === undefined ? { _tag: "Text", text: "" } : textOf(body)
  const contentType = body === undefined ? undefined : "application/json"
  const result = decodeInput(id, { ...nothing, contentType, ...raw }, reading)
  return isRefusal(result) ? result : undefined
}

const judge = (id: OperationId, raw: Partial<RawInput>, body: unknown = undefined): string => {
  const refusal = refusalOf(id, raw, body)
  const { findings = [], fields = [] } = (refusal?.details ?? {}) as Details
  const told = [
    ...findings.map(({ path, kind }) => `${path} ${kind}`),
    ...fields.map(({ path, code }) => `${path} ${code}`)
  ]
  return refusal === undefined ? "passed" : [refusal.code, ...told].join(", ")
}

const keyed = operationIds.filter((id) => operationRow(id).requirement !== null)
const bodied = keyed.filter((id) => operationRow(id).body !== undefined)
const claim = { procedure_codes: ["64493"] }

describe("contract §1 PHI: on every operation with input", () => {
  it.each(keyed)("%s refuses an identifier in its query, known to it or not", (id) => {
    expect(refusalsOf(operationRow(id))).toContain("PHI_NOT_ALLOWED")
    const body = operationRow(id).body === undefined ? undefined : {}
    expect(judge(id, { query: { note: "123-45-6789" } }, body)).toBe("PHI_NOT_ALLOWED, /query/note ssn")
    expect(judge(id, { query: { patient_name: "x" } }, body)).toBe(
      "PHI_NOT_ALLOWED, /query/patient_name name"
    )
    expect(judge(id, { query: { q: ["a", "DOB 1/2/1950"] } }, body)).toBe("PHI_NOT_ALLOWED, /query/q/1 dob")
    expect(judge(id, { query: { "123-45-6789": "" } }, body)).toBe("PHI_NOT_ALLOWED, /query/#key ssn")
  })

  it.each(bodied)("%s refuses an identifier in its body, at any depth, whatever its shape", (id) => {
    const deep = { extra: [{ inner: { mrn: "12" } }] }
    expect(judge(id, {}, deep)).toBe("PHI_NOT_ALLOWED, /body/extra/0/inner/mrn mrn")
    expect(judge(id, {}, ["jane@example.com"])).toBe("PHI_NOT_ALLOWED, /body/0 email")
    expect(judge(id, {}, "123-45-6789")).toBe("PHI_NOT_ALLOWED, /body ssn")
    expect(judge(id, {}, { parameters: { patient_name: "x" } })).toBe(
      "PHI_NOT_ALLOWED, /body/parameters/patient_name name"
    )
  })

  it("stands after JSON and before the schema and the cursor", () => {
    const phi = { query: { note: "123-45-6789", cursor: "x", limit: "0" } }
    expect(judge("listPolicies", phi)).toBe("PHI_NOT_ALLOWED, /query/note ssn")
    expect(judge("validateClaim", { ...phi, contentType: "text/plain" }, claim)).toBe(
      "REQUEST_UNSUPPORTED_CONTENT_TYPE"
    )
    expect(judge("validateClaim", {}, { ssn: "1", nonsense: 1 })).toBe("PHI_NOT_ALLOWED, /body/ssn ssn")
    const broken = decodeInput(
      "validateClaim",
      { ...nothing, ...phi, contentType: "application/json" },
      { _tag: "Text", text: '{"ssn":"123-45-6789"' }
    )
    expect(isRefusal(broken) && broken.code).toBe("VALIDATION_INVALID_JSON")
  })

  it("a client's object that looks like a refusal is an object", () => {
    const body = { _tag: "Refusal", code: "SERVER_INTERNAL_ERROR", details: {} }
    expect(judge("comparePolicies", {}, body)).toBe(
      "VALIDATION_REQUIRED_FIELD, /body/procedure_codes required"
    )
  })
})

describe("phi.md: bare digits in fields that the catalogue types", () => {
  it.each([
    ["lookupCode", { query: { code: "2125550100" } }, undefined],
    ["lookupCode", { query: { code: "123456789" } }, undefined],
    ["batchCodes", {}, { codes: ["2125550100", "123456789"] }],
    ["evaluateCoverage", {}, { policy_id: "123456789", parameters: {} }],
    ["acknowledgeChange", {}, { diff_id: 123456789 }],
    ["acknowledgeChanges", {}, { diff_ids: [123456789, 2125550100] }],
    ["listPolicies", { query: { q: "wheelchair", limit: "10" } }, undefined],
    ["validateClaim", {}, { ...claim, units: { "64493": 2 } }]
  ] as const)("%s %j %j pass", (id, raw, body) => {
    expect(judge(id, raw, body)).toBe("passed")
  })

  it.each([
    ["listPolicies", { query: { q: "123456789" } }, undefined, "/query/q ssn"],
    ["acknowledgeChange", {}, { diff_id: 1, notes: "2125550100" }, "/body/notes phone"],
    ["lookupCode", { query: { code: "123-45-6789" } }, undefined, "/query/code ssn"],
    ["batchCodes", {}, { codes: ["E0601", "1EG4TE5MK73"] }, "/body/codes/1 mbi"],
    ["checkPriorAuth", {}, { ...claim, comment: "123456789" }, "/body/comment ssn"]
  ] as const)("%s %j %j are refused elsewhere", (id, raw, body, finding) => {
    expect(judge(id, raw, body)).toBe(`PHI_NOT_ALLOWED, ${finding}`)
  })

  it.each([
    ["listPolicies", { query: { icd10: "123456789" } }, undefined, "/query/icd10"],
    ["listPolicies", { query: { procedure_code: "123456789" } }, undefined, "/query/procedure_code"],
    [
      "evaluateCoverage",
      {},
      { policy_id: "L1", parameters: { diagnosis_codes: ["123456789"] } },
      "/body/parameters/diagnosis_codes/0"
    ],
    ["validateClaim", {}, { ...claim, units: { "123456789": 1 } }, "/body/units"]
  ] as const)("%s %j %j are no identifiers, and no codes either", (id, raw, body, path) => {
    expect(judge(id, raw, body)).toBe(`VALIDATION_INVALID_FORMAT, ${path} invalid_format`)
  })

  it("our own cursor is judged as a cursor, even one that chance spells an identifier in", () => {
    const binding = { organization: "org_1", operation: "listPolicies", filters: "[]" }
    const cursor = writeCursor({ position: ["L33831"], binding, sign: () => "-1EG4TE5MK73-".padEnd(43, "x") })
    expect(judge("listPolicies", { query: { cursor } })).toBe("passed")
    expect(judge("listPolicies", { query: { cursor: "123-45-6789" } })).toBe(
      "PHI_NOT_ALLOWED, /query/cursor ssn"
    )
  })

  it("no field of the catalogue is itself an identifier's", () => {
    const names = (shape: Shape): ReadonlyArray<string> => [
      ...[...shape.members].flatMap(([name, inner]) => [name, ...names(inner)]),
      ...(shape.items === undefined ? [] : names(shape.items))
    ]
    const all = keyed.flatMap((id) => {
      const { query, body } = operationRow(id)
      return [query, body].flatMap((schema) => (schema === undefined ? [] : names(shapeOf(schema))))
    })
    expect(all).toContain("diagnosis_codes")
    expect(all.filter((name) => kindByName(fieldName(name, undefined), "x") !== undefined)).toEqual([])
  })
})

describe("phi.md: what a refusal tells", () => {
  it(`at most ${findingsMax} findings, and never the value`, () => {
    const texts = Array.from({ length: 30 }, (_, index) => `patient${index}@example.com`)
    const refusal = refusalOf("checkPriorAuth", {}, { ...claim, texts })
    const { findings } = (refusal?.details ?? {}) as Details
    expect(findings).toHaveLength(findingsMax)
    expect(JSON.stringify(refusal)).not.toContain("@example.com")
  })

  it("each kind once for each path", () => {
    const body = { ...claim, notes: "SSN 123-45-6789 and 223-45-6789, DOB 1/2/1950", ssn: "123-45-6789" }
    expect(judge("checkPriorAuth", {}, body)).toBe(
      "PHI_NOT_ALLOWED, /body/notes ssn, /body/notes dob, /body/ssn ssn"
    )
  })

  it("nothing of a name that is an identifier, nor of one too long to be a field's", () => {
    const body = { ...claim, "Mrs. Alvarez": { ssn: "1" }, ["x".repeat(65)]: { dob: "1" } }
    expect(judge("checkPriorAuth", {}, body)).toBe(
      "PHI_NOT_ALLOWED, /body/#key name, /body/#key/ssn ssn, /body/#key/dob dob"
    )
  })

  it("an age above 90 with the hint to use 90", () => {
    const hintOf = (extra: object) => refusalOf("checkPriorAuth", {}, { ...claim, ...extra })?.hint
    expect(judge("checkPriorAuth", {}, { ...claim, age: 93 })).toBe("PHI_NOT_ALLOWED, /body/age age")
    expect(judge("checkPriorAuth", {}, { ...claim, age: 90, patient_age: "90" })).toBe("passed")
    expect(hintOf({ age: 93 })).toContain("use 90")
    expect(hintOf({ age: 93, dob: "1" })).toBe(`${errorRow("PHI_NOT_ALLOWED").hint} ${hintOf({ age: 93 })}`)
    expect(hintOf({ dob: "1" })).toBeUndefined()
  })
})

describe("docs/phi.md", () => {
  const page = readFileSync("docs/phi.md", "utf8")
  const rowOf = (kind: string) => new RegExp(`^\\| \`${kind}\` \\|.*$`, "m").exec(page)?.[0]

  it.each(Object.keys(kinds))("has a row for %s", (kind) => expect(rowOf(kind)).toBeDefined())

  it("says of no field what the tables do not", () => {
    for (const kind of Object.keys(kinds)) {
      const named = rowOf(kind)?.split("|")[3] ?? ""
      const names = [...named.matchAll(/`([a-z_]+)…?`/g)].map((match) => match[1] ?? "")
      expect(names.map((name) => kindByName(fieldName(name, undefined), "99999"))).toEqual(
        names.map(() => kind)
      )
    }
  })

  it("tells the limits in force", () => {
    expect(page).toContain(
      `deeper than ${depthMax} levels or of more than ${nodesMax.toLocaleString("en")} values`
    )
    expect(page).toContain(`at most ${findingsMax} times`)
  })
})

describe("contract §1: input that is too large to be looked through", () => {
  const nested = (levels: number): unknown =>
    Array.from({ length: levels }).reduce<unknown>((inner) => ({ inner }), "x")

  it(`${depthMax} levels pass, one more is out of range`, () => {
    expect(judge("checkPriorAuth", {}, { ...claim, deep: nested(depthMax - 1) })).toBe("passed")
    expect(judge("checkPriorAuth", {}, { ...claim, deep: nested(depthMax) })).toBe(
      "VALIDATION_OUT_OF_RANGE, /body out_of_range"
    )
    expect(judge("checkPriorAuth", {}, nested(1_000))).toBe("VALIDATION_OUT_OF_RANGE, /body out_of_range")
  })

  it(`${nodesMax} values pass, more are out of range, though the last one be an identifier`, () => {
    const many = (count: number) => ({
      ...claim,
      many: [...Array.from({ length: count }, () => 1), "Mrs. Alvarez"]
    })
    // Besides the many: the query, the body, its two members, the code and the name.
    expect(judge("checkPriorAuth", {}, many(nodesMax - 6))).toBe(
      `PHI_NOT_ALLOWED, /body/many/${nodesMax - 6} name`
    )
    expect(judge("checkPriorAuth", {}, many(nodesMax - 5))).toBe(
      "VALIDATION_OUT_OF_RANGE, /body out_of_range"
    )
  })
})

describe("phi.md webhook URLs", () => {
  const judged = (url: string) => judge("createWebhook", {}, { url, events: ["*"] })

  it("are judged by the names and the decoded values of their parameters", () => {
    for (const [query, kind] of [
      ["ssn=123456789", "ssn"],
      ["a=1;ssn=123456789", "ssn"],
      ["phone=2125550123", "phone"],
      ["patient_name=Jane+Doe", "name"],
      ["patient%5Fname=Jane", "name"],
      ["p=Mrs.+Alvarez", "name"],
      ["t=123+45+6789", "ssn"]
    ])
      expect(judged(`https://example.com/in?${query}`), query).toBe(`PHI_NOT_ALLOWED, /body/url ${kind}`)
  })

  it("may have tokens and numbers of the receiver in path and parameters", () => {
    for (const url of [
      "https://example.com/in/123456789?token=2125550123&v=2&source=coverage-policy",
      "https://example.com/in?ids=1234567890&name=prod&ts=1700000000"
    ])
      expect(judged(url)).toBe("passed")
  })
})
