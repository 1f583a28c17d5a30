import { describe, expect, it } from "vitest"
import { bodyBytesMax, noBody } from "../../core/admission/body.ts"
import type { BodyReading } from "../../core/admission/body.ts"
import { decodeInput } from "../../core/admission/decode.ts"
import type { RawInput } from "../../core/admission/decode.ts"
import { isRefusal } from "../../core/error/Refusal.ts"
import type { FieldFault } from "../../core/error/details.ts"
import { keyRefusal } from "../../core/idempotency/key.ts"
import type { OperationId } from "../../core/operation/catalogue.ts"

const raw: RawInput = {
  params: {},
  query: {},
  accept: undefined,
  contentType: "application/json",
  contentEncoding: undefined
}

const refusalOf = (id: OperationId, part: Partial<RawInput>, body: BodyReading = noBody) => {
  const found = decodeInput(id, { ...raw, ...part }, body)
  if (!isRefusal(found)) return { message: "accepted", fields: [] }
  const { fields = [] } = (found.details ?? {}) as { readonly fields?: ReadonlyArray<FieldFault> }
  return { message: found.message ?? "", fields }
}
const queried = (id: OperationId, query: RawInput["query"]) => refusalOf(id, { query })
const includeTakes = "`include` takes a comma list of rvu and policies, or a list of rvu and policies."
const sent = (id: OperationId, body: unknown) =>
  refusalOf(id, {}, { _tag: "Text", text: typeof body === "string" ? body : JSON.stringify(body) })

describe("contract §1 Validation: the message names the first faulty field and what it takes", () => {
  it.each<[OperationId, RawInput["query"], string]>([
    ["listPolicies", { status: "gone" }, "`status` takes active, retired or all."],
    ["listPolicies", { limit: "101" }, "`limit` is an integer from 1 to 100."],
    ["listPolicies", { limit: "ten" }, "`limit` is an integer from 1 to 100."],
    [
      "listPolicies",
      { limit: ["1", "2"] },
      "`limit` was given more than once. It is an integer from 1 to 100."
    ],
    [
      "listPolicies",
      { status: ["active", "all"] },
      "`status` was given more than once. It takes active, retired or all."
    ],
    ["listPolicies", { q: "x".repeat(501) }, "`q` is text of at most 500 characters."],
    ["listPolicies", { as_of: "soon" }, "`as_of` is a date, YYYY-MM-DD."],
    ["listPolicies", { include: "all" }, "`include` takes a comma list of summary, criteria and codes."],
    ["listPolicies", { payer: "a\0b" }, "`payer` is text without NUL characters."],
    ["searchCriteria", {}, "`q` is required and is text of 1 to 500 characters."],
    ["lookupCode", { code: " " }, "`code` is a code of 1 to 20 characters."],
    ["lookupCode", { code: "1", fuzzy: "yes" }, "`fuzzy` takes true or false."],
    [
      "listPolicyChanges",
      { since: "yesterday" },
      "`since` is a date-time such as 2026-01-31T12:00:00Z, or a date, YYYY-MM-DD."
    ],
    [
      "listPolicies",
      { status: "gone", limit: "0" },
      "`limit` is an integer from 1 to 100. 1 more field is faulty."
    ],
    [
      "listPolicies",
      { status: "gone", limit: "0", as_of: "x" },
      "`limit` is an integer from 1 to 100. 2 more fields are faulty."
    ]
  ])("%s %j: %s", (id, query, message) => expect(queried(id, query).message).toBe(message))

  const wide = "\u{1F600}"
  it.each<[OperationId, number, (text: string) => object]>([
    ["checkPriorAuth", 100, (name) => ({ procedure_codes: ["99213"], site_of_service: name })],
    ["batchCodes", 20, (code) => ({ codes: [code] })],
    ["validateClaim", 100, (name) => ({ procedure_codes: ["99213"], provider_specialty: name })],
    ["acknowledgeChange", 500, (notes) => ({ diff_id: 1, notes })]
  ])("§1 lengths count code points: %s takes %d of them, whatever their units", (id, max, body) => {
    expect(sent(id, body(wide.repeat(max))).message).toBe("accepted")
    expect(sent(id, body(wide.repeat(max + 1))).message).toContain(`${max} characters`)
  })

  it.each<[OperationId, string, number]>([
    ["lookupCode", "code", 20],
    ["listPolicies", "q", 500]
  ])("§1 lengths count code points: %s takes %s of %d", (id, name, max) => {
    expect(queried(id, { [name]: wide.repeat(max) }).message).toBe("accepted")
    expect(queried(id, { [name]: wide.repeat(max + 1) }).message).toContain(`${max} characters`)
  })

  it.each<[OperationId, unknown, string]>([
    ["batchCodes", {}, "`codes` is required and is a list of 1 to 50 items."],
    ["batchCodes", { codes: "E0601" }, "`codes` is a list of 1 to 50 items."],
    ["batchCodes", { codes: [] }, "`codes` is a list of 1 to 50 items."],
    ["batchCodes", { codes: ["A", 7] }, "`codes[1]` is a code of 1 to 20 characters."],
    ["batchCodes", { codes: ["A"], include: "x" }, includeTakes],
    ["batchCodes", { codes: ["A"], include: 3 }, includeTakes],
    ["batchCodes", { codes: ["A"], include: ["x"] }, "`include[0]` takes rvu or policies."],
    ["batchCodes", [], "The body takes a JSON object."],
    ["evaluateCoverage", { policy_id: "L1", parameters: 3 }, "`parameters` is an object."],
    [
      "evaluateCoverage",
      { policy_id: "L1", parameters: { age_category: "old" } },
      "`parameters.age_category` takes pediatric, adult or medicare_age."
    ],
    ["acknowledgeChange", { diff_id: 1.5 }, "`diff_id` is an integer from 0 to 9007199254740991."],
    ["acknowledgeChange", { diff_id: 1, notes: 5 }, "`notes` is text of at most 500 characters."]
  ])("%s %j: %s", (id, body, message) => expect(sent(id, body).message).toBe(message))

  it("names a member that a closed object does not take, and those that it does", () => {
    const { message } = sent("evaluateCoverage", { policy_id: "L1", parameters: { colour: "red" } })
    expect(message).toMatch(
      /^`parameters\.colour` is not taken here\. `parameters` takes age_category, .+ and /
    )
    const near = sent("evaluateCoverage", { policy_id: "L1", parameters: { ageCategory: "adult" } })
    expect(near.message).toMatch(/ is not taken here\. Did you mean `parameters\.age_category`\? /)
    const long = sent("evaluateCoverage", { policy_id: "L1", parameters: { ["x".repeat(500)]: 1 } })
    expect(long.message).toContain(`${"x".repeat(64)}…\``)
  })

  it("says what an empty PATCH needs", () => {
    const patch = refusalOf("updateWebhook", { params: { id: "1" } }, { _tag: "Text", text: "{}" })
    expect(patch.message).toBe("The body needs at least one of url, events and status.")
  })

  it("names ids of paths, headers and a body that is too large", () => {
    expect(refusalOf("deleteWebhook", { params: { id: "x" } }).message).toMatch(
      /^`id` is an integer from 0 to /
    )
    const refusalOfKey = (key: string) => keyRefusal({ idempotencyKey: key, idempotencyAlias: undefined })
    const takes = "`X-Idempotency-Key` is 1 to 255 printable ASCII characters."
    expect(refusalOfKey("")?.message).toBe(takes)
    expect(refusalOfKey("ü")?.message).toBe(takes)
    expect(refusalOfKey("k")).toBeUndefined()
    expect(refusalOf("batchCodes", {}, { _tag: "TooLarge" }).message).toContain(String(bodyBytesMax))
  })

  it("lists the words of an enum as allowed, and no others", () => {
    expect(queried("listPolicies", { status: "gone", limit: "0", include: "all" }).fields).toEqual([
      { path: "/query/limit", code: "out_of_range", message: "`limit` is an integer from 1 to 100." },
      {
        path: "/query/status",
        code: "invalid_format",
        message: "`status` takes active, retired or all.",
        allowed: ["active", "retired", "all"]
      },
      {
        path: "/query/include",
        code: "invalid_format",
        message: "`include` takes a comma list of summary, criteria and codes.",
        allowed: ["summary", "criteria", "codes"]
      }
    ])
    expect(sent("batchCodes", { codes: ["A"], include: "x" }).fields[0]?.allowed).toEqual(["rvu", "policies"])
  })

  it("repeats no submitted value, whatever field holds it", () => {
    const value = "zq81submitted"
    const operations: ReadonlyArray<readonly [OperationId, ReadonlyArray<string>]> = [
      ["listPolicies", ["status", "limit", "as_of", "include", "policy_type", "mode", "format"]],
      ["listPolicyChanges", ["since", "change_type"]]
    ]
    for (const [id, names] of operations)
      for (const name of names) {
        const refusal = queried(id, { [name]: value })
        expect(refusal.message).toContain(`\`${name}\``)
        expect(JSON.stringify(refusal)).not.toContain(value)
      }
  })
})

describe("contract §1 include", () => {
  it("takes names that the public service knows, and refuses others", () => {
    for (const id of ["listPolicies", "lookupCode"] as const) {
      expect(queried(id, { code: "E0601", include: "rates,attachments, ndc_crosswalk" }).message).toBe(
        "accepted"
      )
      expect(queried(id, { code: "E0601", include: "rates,nonsense" }).message).toContain("`include` takes")
    }
    expect(sent("batchCodes", { codes: ["A"], include: ["rvu", "rates"] }).message).toBe("accepted")
    expect(sent("batchCodes", { codes: ["A"], include: "rvu,rates" }).message).toBe("accepted")
  })

  it("takes every optional list empty", () => {
    expect(
      sent("validateClaim", { procedure_codes: ["E0601"], modifiers: [], diagnosis_codes: [] }).message
    ).toBe("accepted")
    expect(sent("comparePolicies", { procedure_codes: ["E0601"], jurisdictions: [] }).message).toBe(
      "accepted"
    )
    expect(sent("batchCodes", { codes: ["E0601"], include: [] }).message).toBe("accepted")
    expect(sent("checkPriorAuth", { procedure_codes: ["E0601"], diagnosis_codes: [] }).message).toBe(
      "accepted"
    )
  })

  it("takes a date where a moment is meant", () => {
    expect(queried("listPolicyChanges", { since: "2026-01-31" }).message).toBe("accepted")
    expect(queried("listPolicyChanges", { since: "2026-02-30" }).message).not.toBe("accepted")
  })
})
