import { describe, expect, it } from "vitest"
import * as fc from "fast-check"
import { bodyBytesMax } from "../../core/admission/body.ts"
import type { BodyReading } from "../../core/admission/body.ts"
import { decodeInput } from "../../core/admission/decode.ts"
import type { RawInput } from "../../core/admission/decode.ts"
import { isRefusal } from "../../core/error/Refusal.ts"
import type { OperationId } from "../../core/operation/catalogue.ts"

const nothing: RawInput = {
  params: {},
  query: {},
  accept: undefined,
  contentType: undefined,
  contentEncoding: undefined
}
const text = (body: unknown): BodyReading => ({
  _tag: "Text",
  text: typeof body === "string" ? body : JSON.stringify(body)
})
const json = { ...nothing, contentType: "application/json" }

const judge = (id: OperationId, raw: Partial<RawInput>, body: BodyReading = text("")) => {
  const result = decodeInput(id, { ...nothing, ...raw }, body)
  if (!isRefusal(result)) return "accepted"
  const details = result.details as
    | { readonly fields?: ReadonlyArray<{ path: string; code: string }> }
    | undefined
  return [result.code, ...(details?.fields ?? []).map((field) => `${field.path} ${field.code}`)].join(", ")
}

describe("contract §1 Validation: queries", () => {
  it.each([
    [{ code: "E0601" }, "accepted"],
    [{}, "VALIDATION_REQUIRED_FIELD, /query/code required"],
    [{ code: "" }, "VALIDATION_OUT_OF_RANGE, /query/code out_of_range"],
    [{ code: "x".repeat(21) }, "VALIDATION_OUT_OF_RANGE, /query/code out_of_range"],
    [{ code: "   " }, "VALIDATION_INVALID_FORMAT, /query/code invalid_format"],
    [{ code: "E0601", code_system: "ICD9" }, "VALIDATION_INVALID_FORMAT, /query/code_system invalid_format"],
    [{ code: "E0601", as_of: "2026-02-30" }, "VALIDATION_INVALID_FORMAT, /query/as_of invalid_format"],
    [{ code: "E0601", include: "rvu, policies" }, "accepted"],
    [
      { code: "E0601", include: "rvu,everything" },
      "VALIDATION_INVALID_FORMAT, /query/include invalid_format"
    ],
    [{ code: "E0601", fuzzy: "yes" }, "VALIDATION_INVALID_FORMAT, /query/fuzzy invalid_format"],
    [{ code: ["E0601", "E0602"] }, "VALIDATION_ERROR, /query/code invalid"],
    [{ code: "E06\u00001" }, "VALIDATION_INVALID_FORMAT, /query/code invalid_format"],
    [{ code: "E0601", nonsense: "1" }, "accepted"],
    [{ as_of: "soon" }, "VALIDATION_ERROR, /query/code required, /query/as_of invalid_format"]
  ])("GET /codes/lookup %j: %s", (query, expected) => expect(judge("lookupCode", { query })).toBe(expected))

  it.each([
    ["1", "accepted"],
    ["100", "accepted"],
    ["007", "accepted"],
    ["0", "VALIDATION_OUT_OF_RANGE, /query/limit out_of_range"],
    ["101", "VALIDATION_OUT_OF_RANGE, /query/limit out_of_range"],
    ["-1", "VALIDATION_OUT_OF_RANGE, /query/limit out_of_range"],
    ["99999999999999999999", "VALIDATION_OUT_OF_RANGE, /query/limit out_of_range"],
    ["", "VALIDATION_INVALID_FORMAT, /query/limit invalid_format"],
    [" 5", "VALIDATION_INVALID_FORMAT, /query/limit invalid_format"],
    ["0x10", "VALIDATION_INVALID_FORMAT, /query/limit invalid_format"],
    ["1e2", "VALIDATION_INVALID_FORMAT, /query/limit invalid_format"],
    ["1.0", "VALIDATION_INVALID_FORMAT, /query/limit invalid_format"]
  ])("contract §1 Lists: limit=%j: %s", (limit, expected) =>
    expect(judge("listPolicies", { query: { limit } })).toBe(expected)
  )
})

describe("contract §1 Validation: bodies", () => {
  const codes = (body: unknown) => judge("batchCodes", json, text(body))
  it.each([
    [{ codes: ["E0601"] }, "accepted"],
    [{ codes: ["E0601"], include: "rvu" }, "accepted"],
    [{ codes: ["E0601"], include: ["rvu", "policies"] }, "accepted"],
    [{ codes: ["E0601"], extra: 1 }, "accepted"],
    [{}, "VALIDATION_REQUIRED_FIELD, /body/codes required"],
    [{ codes: [] }, "VALIDATION_OUT_OF_RANGE, /body/codes out_of_range"],
    [
      { codes: Array.from({ length: 51 }, () => "E0601") },
      "VALIDATION_OUT_OF_RANGE, /body/codes out_of_range"
    ],
    [{ codes: "E0601" }, "VALIDATION_ERROR, /body/codes invalid"],
    [{ codes: ["E0601", 7, ""] }, "VALIDATION_ERROR, /body/codes/1 invalid, /body/codes/2 out_of_range"],
    [{ codes: ["\0"] }, "VALIDATION_INVALID_FORMAT, /body/codes/0 invalid_format"],
    [[], "VALIDATION_ERROR, /body invalid"],
    ['"text"', "VALIDATION_ERROR, /body invalid"],
    ["null", "VALIDATION_ERROR, /body invalid"],
    ["", "VALIDATION_INVALID_JSON"],
    ["{", "VALIDATION_INVALID_JSON"],
    ['{"codes":["E0601"]} x', "VALIDATION_INVALID_JSON"]
  ])("POST /codes/batch %j: %s", (body, expected) => expect(codes(body)).toBe(expected))

  it("contract §1 an empty PATCH is VALIDATION_REQUIRED_FIELD at /body", () => {
    expect(judge("updateWebhook", { ...json, params: { id: "1" } }, text({}))).toBe(
      "VALIDATION_REQUIRED_FIELD, /body required"
    )
  })

  it("contract §1 a closed object refuses members it does not know, an open one ignores them", () => {
    const claim = { procedure_codes: ["E0601"], patient: "x" }
    expect(judge("validateClaim", json, text(claim))).toBe("VALIDATION_ERROR, /body/patient unknown_field")
    const evaluate = { policy_id: "L33831", parameters: { "a/b~": 1 }, ignored: 1 }
    expect(judge("evaluateCoverage", json, text(evaluate))).toBe(
      "VALIDATION_ERROR, /body/parameters/a~1b~0 unknown_field"
    )
    expect(judge("checkPriorAuth", json, text({ procedure_codes: ["E0601"], more: 1 }))).toBe("accepted")
  })

  it.each([
    [{ id: "7" }, "accepted"],
    [{ id: "seven" }, "VALIDATION_INVALID_FORMAT, /path/id invalid_format"],
    [{ id: "9007199254740992" }, "VALIDATION_OUT_OF_RANGE, /path/id out_of_range"]
  ])("contract §1 path id %j: %s", (params, expected) =>
    expect(judge("deleteWebhook", { params })).toBe(expected)
  )

  it("contract §1 256 KiB and a depth of 12 are allowed, more is VALIDATION_OUT_OF_RANGE", () => {
    const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`
    expect(codes(nested(12))).toBe("VALIDATION_REQUIRED_FIELD, /body/codes required")
    expect(codes(nested(13))).toBe("VALIDATION_OUT_OF_RANGE, /body out_of_range")
    expect(codes(nested(20_000))).toBe("VALIDATION_OUT_OF_RANGE, /body out_of_range")
    expect(judge("batchCodes", json, { _tag: "TooLarge" })).toBe(
      "VALIDATION_OUT_OF_RANGE, /body out_of_range"
    )
    expect(bodyBytesMax).toBe(262_144)
  })

  it.each([
    ["application/json", "accepted"],
    ["Application/JSON; charset=UTF-8", "accepted"],
    [undefined, "REQUEST_UNSUPPORTED_CONTENT_TYPE"],
    ["text/plain", "REQUEST_UNSUPPORTED_CONTENT_TYPE"],
    ["application/json; charset=latin1", "REQUEST_UNSUPPORTED_CONTENT_TYPE"],
    ["application/jsonp", "REQUEST_UNSUPPORTED_CONTENT_TYPE"]
  ])("§4 content type %j: %s", (contentType, expected) => {
    expect(judge("batchCodes", { contentType }, text({ codes: ["E0601"] }))).toBe(expected)
  })

  it("contract §1 an operation without a body ignores its content type", () => {
    expect(judge("lookupCode", { contentType: "text/plain", query: { code: "E0601" } })).toBe("accepted")
  })

  it.each([
    [undefined, "accepted"],
    ["*/*", "accepted"],
    ["application/*", "accepted"],
    ["text/html, application/json;q=0.1", "accepted"],
    ["text/csv", "REQUEST_FORMAT_NOT_ACCEPTABLE"],
    ["application/json;q=0", "REQUEST_FORMAT_NOT_ACCEPTABLE"]
  ])("§4.6.3 Accept %j on a certified release: %s", (accept, expected) => {
    const params = { release_id: "rel_1" }
    expect(judge("listReleaseDecisions", { accept, params, query: { code: "E0601" } })).toBe(expected)
  })

  it("contract §1 neither message nor details repeats a submitted value", () => {
    const secret = fc.string({ minLength: 8, maxLength: 30 }).map((value) => `zq${value}zq`)
    fc.assert(
      fc.property(secret, (value) => {
        const result = decodeInput(
          "batchCodes",
          json,
          text({ codes: value, include: value, code_system: [value] })
        )
        const lookup = decodeInput(
          "lookupCode",
          { ...nothing, query: { code: value.repeat(3), as_of: value, code_system: value } },
          text("")
        )
        expect(JSON.stringify([result, lookup])).not.toContain("zq")
      })
    )
  })
})
