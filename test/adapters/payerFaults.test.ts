import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Library } from "../../adapters/memory/Library.ts"
import { readPolicies } from "../../adapters/payer/readPolicies.ts"
import { importPolicies } from "../../core/import/importPolicies.ts"
import { day } from "../kit/library.ts"
import { memoryLibrary } from "../kit/oracle.ts"
import {
  policyWithLogic,
  linesOf,
  payer,
  policy,
  procedures,
  policyWithRule,
  policySaying,
  version,
  writePayerFile
} from "../kit/payerLines.ts"

const contentsAt = (path: string) => Effect.flatMap(readPolicies(path), (source) => source.read)

/** Line 1 is the payer; the others are given. */
const faultsOf = (...records: ReadonlyArray<unknown>) =>
  Effect.gen(function* () {
    const path = yield* writePayerFile(linesOf(payer, ...records))
    const { faults, file } = yield* Effect.flip(contentsAt(path))
    expect(file).toBe("payer.ndjson")
    return faults.map(({ line, pointer, reason }) => [line, pointer, reason])
  })

const wrongType = "it has the wrong type or is none of the words that may stand here"

/** A policy that says something wrong, and where and why it is refused. */
const faults: ReadonlyArray<readonly [says: string, record: unknown, pointer: string, reason: string]> = [
  ["a member that is misspelt", { ...policy, plicy: 1 }, "/plicy", "it is not known here"],
  [
    "a member of a version that is misspelt",
    policySaying({ titel: "x" }),
    "/versions/0/titel",
    "it is not known here"
  ],
  [
    "a member that is missing",
    { ...policy, versions: [{ title: "x" }] },
    "/versions/0/effective_date",
    "it is missing"
  ],
  ["a record of another kind", { record: "plan" }, "/record", "it must be source, payer or policy"],
  ["a type of Medicare's", { ...policy, policy_type: "LCD" }, "/policy_type", wrongType],
  ["an id of an LCD", { ...policy, policy_id: "L33831" }, "/policy_id", "it looks like an id of Medicare's"],
  [
    "an id of an Article, in small letters",
    { ...policy, policy_id: "a52423" },
    "/policy_id",
    "it looks like an id of Medicare's"
  ],
  ["an id of an NCD", { ...policy, policy_id: "220.6" }, "/policy_id", "it looks like an id of Medicare's"],
  [
    "a payer that the file does not name",
    { ...policy, payer_code: "other" },
    "/payer_code",
    "no payer of the file has this code"
  ],
  [
    "a line of business that is none of the payer's",
    { ...policy, line_of_business: "dental" },
    "/line_of_business",
    "it is none of the payer's lines_of_business"
  ],
  [
    "a day that is none",
    policySaying({ effective_date: "2024-02-30" }),
    "/versions/0/effective_date",
    "it must be a day, YYYY-MM-DD"
  ],
  [
    "an end before the beginning",
    policySaying({ retire_date: "2023-12-31" }),
    "/versions/0/retire_date",
    "it ends before it begins"
  ],
  [
    "versions out of order",
    { ...policy, versions: [version, version] },
    "/versions/1/effective_date",
    "it is not after the one of the version before"
  ],
  ["no version", { ...policy, versions: [] }, "/versions", "it must be a value with a length of at least 1"],
  [
    "a state in words",
    policySaying({ states: ["Texas"] }),
    "/versions/0/states/0",
    "it must be a state of two capital letters"
  ],
  [
    "a state that is none",
    policySaying({ states: ["TX", "QQ"] }),
    "/versions/0/states/1",
    "it must be a state of two capital letters"
  ],
  [
    "a rule for a state that is none",
    policyWithRule({ states: ["QQ"] }),
    "/versions/0/prior_auth/0/states/0",
    "it must be a state of two capital letters"
  ],
  [
    "an address that is none",
    policySaying({ source_url: "northstar" }),
    "/versions/0/source_url",
    "it must be a web address"
  ],
  [
    "a diagnosis among procedures",
    policySaying({ code_groups: [{ ...procedures, codes: ["M54.16"] }] }),
    "/versions/0/code_groups/0/codes/0",
    "it is no code that a group of this kind holds"
  ],
  [
    "a group twice",
    policySaying({ code_groups: [procedures, procedures] }),
    "/versions/0/code_groups/1",
    "its kind and number stand in the version before"
  ],
  [
    "a scope that the version does not list",
    policySaying({
      code_groups: [procedures, { group: 1, kind: "dx_covered", codes: ["G47.33"], scope: ["E0470"] }]
    }),
    "/versions/0/code_groups/1/scope/0",
    "no procedure group of the version lists it"
  ],
  [
    "an asterisk on no code of the group",
    policySaying({ code_groups: [{ ...procedures, asterisk_codes: ["E0470"] }] }),
    "/versions/0/code_groups/0/asterisk_codes/0",
    "it is none of the group's codes"
  ],
  [
    "a disposition that is none",
    policySaying({ code_groups: [{ ...procedures, disposition: "maybe" }] }),
    "/versions/0/code_groups/0/disposition",
    wrongType
  ],
  [
    "an operator that is none",
    policyWithLogic({ op: "some", criteria: [] }),
    "/versions/0/criteria/0/logic_ast",
    wrongType
  ],
  [
    "a member of a criterion that is unknown",
    policyWithLogic({ op: "age", min: 1, years: 2 }),
    "/versions/0/criteria/0/logic_ast/years",
    "it is not known here"
  ],
  [
    "an empty all, deep within",
    policyWithLogic({ op: "not", criterion: { op: "all", criteria: [] } }),
    "/versions/0/criteria/0/logic_ast/criterion/criteria",
    "it is empty"
  ],
  [
    "an age without bounds",
    policyWithLogic({ op: "age" }),
    "/versions/0/criteria/0/logic_ast",
    "it names neither min nor max"
  ],
  [
    "ages upside down",
    policyWithLogic({ op: "age", min: 9, max: 3 }),
    "/versions/0/criteria/0/logic_ast",
    "its ages must be whole years from 0 to 150, min not above max"
  ],
  [
    "a list where one value belongs",
    policyWithLogic({ op: "cmp", param: "n", comparison: "lt", value: [1] }),
    "/versions/0/criteria/0/logic_ast/value",
    "only with in it may be a list"
  ],
  [
    "one value where a list belongs",
    policyWithLogic({ op: "cmp", param: "n", comparison: "in", value: 1 }),
    "/versions/0/criteria/0/logic_ast/value",
    "with in it must be a list"
  ],
  [
    "a code of another system",
    policyWithLogic({ op: "has_code", system: "CPT", any_of: ["M5416"] }),
    "/versions/0/criteria/0/logic_ast/any_of/0",
    "it is no code of the system"
  ],
  [
    "a site that is none",
    policyWithLogic({ op: "site", any_of: ["moon"] }),
    "/versions/0/criteria/0/logic_ast/any_of/0",
    "it is no site of service"
  ],
  [
    "a rule for no procedure",
    policyWithRule({ codes: ["M54.16"] }),
    "/versions/0/prior_auth/0/codes/0",
    "it is no procedure code"
  ],
  ["a rule for no site", policyWithRule({ sites: ["moon"] }), "/versions/0/prior_auth/0/sites/0", wrongType],
  [
    "a rule that ends before it begins",
    policyWithRule({ end_date: "2023-01-01" }),
    "/versions/0/prior_auth/0/end_date",
    "it ends before it begins"
  ],
  [
    "a pause that ends before it begins",
    policyWithRule({ suspended: [{ from: "2024-05-01", until: "2024-04-30" }] }),
    "/versions/0/prior_auth/0/suspended/0/until",
    "it ends before it begins"
  ]
]

describe("a file of payer policies that is not what docs/payer-policies.md says", () => {
  for (const [says, record, pointer, reason] of faults) {
    it.live(`${says} is refused by line and pointer`, () =>
      Effect.gen(function* () {
        expect(yield* faultsOf(record)).toEqual([[2, pointer, reason]])
      })
    )
  }

  it.live("every fault of every line is told at once, by line, and nothing is kept", () =>
    Effect.gen(function* () {
      const broken = linesOf(payer, { ...policy, policy_id: "NCD 220.6", plicy: 1, versions: [{}] })
      const path = yield* writePayerFile(`${broken}{"record":\n${linesOf(policy, policy, payer)}[]\n`)
      const fault = yield* Effect.flip(
        Effect.flatMap(readPolicies(path), (source) => importPolicies(source, () => Effect.void))
      )
      expect(fault).toMatchObject({
        _tag: "PayerFileMalformed",
        faults: [
          { line: 2, pointer: "/plicy", reason: "it is not known here" },
          { line: 2, pointer: "/versions/0/title", reason: "it is missing" },
          { line: 2, pointer: "/versions/0/effective_date", reason: "it is missing" },
          { line: 3, pointer: "", reason: "it is no JSON object" },
          { line: 5, pointer: "/policy_id", reason: "its policy stands in the file before" },
          { line: 6, pointer: "/code", reason: "its payer stands in the file before" },
          { line: 7, pointer: "", reason: "it is no JSON object" }
        ]
      })
      const kept = yield* Library
      expect([kept.policies.size, kept.payers.size, kept.snapshots.size]).toEqual([0, 0, 0])
    }).pipe(Effect.provide(Layer.fresh(memoryLibrary)))
  )

  it.live("a payer that is Medicare, a file without a payer, and one without a day are refused", () =>
    Effect.gen(function* () {
      const faultOf = (text: string | Uint8Array) =>
        Effect.map(
          Effect.flatMap(writePayerFile(text), (path) => Effect.flip(contentsAt(path))),
          (fault) => fault.faults[0]
        )
      expect(yield* faultOf(linesOf({ ...payer, code: "medicare" }))).toMatchObject({
        reason: "it names Medicare"
      })
      expect(yield* faultOf("\n\n")).toEqual({ line: null, pointer: "", reason: "it holds no payer" })
      expect((yield* faultOf(linesOf(payer)))?.reason).toMatch(/^no line says of which day it is/)
      expect(
        (yield* Effect.flip(contentsAt(yield* writePayerFile(new Uint8Array([0x7b, 0xff]))))).faults[0]
          ?.reason
      ).toBe("it is not UTF-8")
    })
  )

  it.live("a day to come is refused by its line: nothing would be newer than the file until then", () =>
    Effect.gen(function* () {
      const today = day("2026-06-30")
      const read = (...records: ReadonlyArray<unknown>) =>
        Effect.flatMap(writePayerFile(linesOf(payer, ...records)), (path) =>
          Effect.flatMap(readPolicies(path, today), (source) => source.read)
        )
      const source = { record: "source", as_of: "2026-07-01" }
      expect((yield* Effect.flip(read(source, policy))).faults).toEqual([
        { line: 2, pointer: "/as_of", reason: "it is a day to come" }
      ])
      expect((yield* read({ ...source, as_of: today }, policy)).snapshot.sourceAsOf).toBe(today)
      const versions = [version, { ...version, effective_date: "2099-01-01" }]
      expect((yield* read({ ...policy, versions })).snapshot.sourceAsOf).toBe("2024-01-01")
    })
  )

  it.live("no reason repeats what the file holds", () =>
    Effect.gen(function* () {
      const told = yield* faultsOf({
        ...policySaying({ states: ["secret"], title: " secret" }),
        policy_type: "secret"
      })
      expect(told.length).toBe(3)
      expect(JSON.stringify(told)).not.toContain("secret")
    })
  )
})
