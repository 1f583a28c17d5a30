import * as Schema from "effect/Schema"
import { foldCode } from "../coverage/codeShape.ts"
import { anyText, integer, pageLimit } from "../operation/field.ts"
import { catalogue } from "../operation/catalogue.ts"
import { showPolicy } from "./showPolicy.ts"
import { tool } from "./Tool.ts"
import type { Tool } from "./Tool.ts"

const lookup = catalogue.lookupCode.query.fields
const policies = catalogue.listPolicies.query.fields
const criteria = catalogue.searchCriteria.query.fields

/** An agent pays for what it reads in tokens too: a page is short unless it asks for more. */
const pageItems = 10

const cursor = Schema.optionalKey(anyText("cursor"))
const limit = Schema.optionalKey(integer({ min: 1, max: pageLimit.max }))
const page = (items: number | undefined): string => String(items ?? pageItems)

/** A code as texts contain it; of a category such as `E11.*` its three characters. */
const codeWords = (code: string | undefined): string | undefined =>
  code === undefined ? undefined : foldCode(code).replace(/\.\*$/, "")

/**
 * The tools at /mcp (contract §3). Each runs operations of the catalogue and nothing else: to add one is to
 * add a row.
 */
export const tools = {
  coverage_lookup: tool({
    title: "Look up a medical code and its coverage",
    description:
      "Looks up one medical code (HCPCS, CPT, ICD-10-CM, ICD-10-PCS, NDC): its description, whether it is " +
      "active, and the Medicare and payer policies that list it, each with its disposition (covered, " +
      "not_covered, requires_pa, conditional). An unknown code returns found: false and suggestions. Start " +
      "here when you have a code; read a policy with policy_research.",
    input: Schema.Struct({
      code: lookup.code,
      code_system: lookup.code_system,
      jurisdiction: lookup.jurisdiction,
      as_of: lookup.as_of
    }),
    ways: [
      {
        parts: {
          code: {
            operation: "lookupCode",
            from: (input) => ({ query: { ...input, include: "policies", fuzzy: "true" } })
          }
        }
      }
    ]
  }),

  policy_research: tool({
    title: "Find and read coverage policies",
    description:
      "Finds coverage policies (LCD, Article, NCD, payer policies) by words or codes, with passages of " +
      "coverage criteria that match; or, with policy_id, reads one policy with its criteria and its latest " +
      "changes. Give q, procedure_code, icd10 or policy_id. Cite policy_id and source_url when you use " +
      "what you find.",
    input: Schema.Struct({
      q: Schema.optionalKey(criteria.q),
      policy_id: Schema.optionalKey(catalogue.getPolicy.params.fields.id),
      policy_type: policies.policy_type,
      jurisdiction: policies.jurisdiction,
      payer: policies.payer,
      procedure_code: policies.procedure_code,
      icd10: policies.icd10,
      status: policies.status,
      as_of: policies.as_of,
      section: criteria.section,
      include_codes: Schema.optionalKey(Schema.Boolean),
      codes_page: Schema.optionalKey(integer({ min: 1, max: 1_000 })),
      limit,
      policies_cursor: cursor,
      criteria_cursor: cursor,
      changes_cursor: cursor
    }),
    needsOneOf: ["q", "procedure_code", "icd10", "policy_id"],
    ways: [
      {
        when: ({ policy_id }) => policy_id !== undefined,
        parts: {
          policy: {
            operation: "getPolicy",
            from: ({ policy_id, as_of, include_codes }) => ({
              params: { id: policy_id },
              query: { as_of, include: include_codes === true ? "criteria,codes" : "criteria" }
            }),
            show: showPolicy
          },
          changes: {
            operation: "listPolicyChanges",
            from: ({ policy_id, limit: items, changes_cursor }) => ({
              query: { policy_id, limit: page(items), cursor: changes_cursor }
            })
          }
        }
      },
      {
        parts: {
          policies: {
            operation: "listPolicies",
            from: ({ section: _, include_codes, codes_page, policies_cursor, ...input }) => {
              const { criteria_cursor: _criteria, changes_cursor: _changes, ...filters } = input
              const limit = page(filters.limit)
              return { query: { ...filters, include: "summary", limit, cursor: policies_cursor } }
            }
          },
          criteria: {
            operation: "searchCriteria",
            from: ({ q, procedure_code, icd10, section, policy_type, jurisdiction, ...input }) => ({
              query: {
                q: q ?? codeWords(procedure_code ?? icd10),
                section,
                policy_type,
                jurisdiction,
                limit: page(input.limit),
                cursor: input.criteria_cursor
              }
            })
          }
        }
      }
    ]
  }),

  prior_auth_check: tool({
    title: "Check whether prior authorization is required",
    description:
      "Checks for up to ten procedure codes whether prior authorization is required in a state and by a " +
      "payer, with the policies and rules that require it, the documentation, and a confidence. Read " +
      "requires_manual_review and known_gaps before you rely on it.",
    input: catalogue.checkPriorAuth.body,
    ways: [
      {
        parts: {
          prior_auth: { operation: "checkPriorAuth", from: (body) => ({ body: { trace: "none", ...body } }) }
        }
      }
    ]
  }),

  claim_validation: tool({
    title: "Check a claim before you submit it",
    description:
      "Checks a claim at rule level: coverage of each code, diagnosis support, NCCI edits, units, prior " +
      "authorization and documentation, with an overall denial risk and the issues found. It applies " +
      "rules, not patient data: never send names, dates of birth, member ids or any other identifier.",
    input: catalogue.validateClaim.body,
    ways: [
      {
        parts: {
          claim: { operation: "validateClaim", from: (body) => ({ body: { trace: "none", ...body } }) }
        }
      }
    ]
  }),

  compliance_review: tool({
    title: "Review policy changes to acknowledge",
    description:
      "Lists the policy changes of the last 30 days that your organization has not acknowledged (view " +
      "list_unreviewed), or counts them (view stats). It only reads: people acknowledge changes.",
    input: Schema.Struct({
      view: Schema.Literals(["stats", "list_unreviewed"]),
      change_type: catalogue.listUnreviewed.query.fields.change_type,
      limit,
      cursor
    }),
    ways: [
      {
        when: ({ view }) => view === "stats",
        parts: { stats: { operation: "complianceStats", from: () => ({}) } }
      },
      {
        parts: {
          unreviewed: {
            operation: "listUnreviewed",
            from: (input) => ({
              query: { change_type: input.change_type, limit: page(input.limit), cursor: input.cursor }
            })
          }
        }
      }
    ]
  }),

  directory_lookup: tool({
    title: "Look up payers and Medicare jurisdictions",
    description:
      "Lists the payers, or the Medicare jurisdictions with their contractors and states; with code, " +
      "returns one of them. Use it to find the values of payer, jurisdiction and state for other tools.",
    input: Schema.Struct({
      kind: Schema.Literals(["payers", "jurisdictions"]),
      code: Schema.optionalKey(catalogue.getPayer.params.fields.code)
    }),
    ways: [
      {
        when: ({ kind, code }) => kind === "payers" && code !== undefined,
        parts: { payer: { operation: "getPayer", from: ({ code }) => ({ params: { code } }) } }
      },
      {
        when: ({ kind }) => kind === "payers",
        parts: { payers: { operation: "listPayers", from: () => ({}) } }
      },
      {
        when: ({ code }) => code !== undefined,
        parts: { jurisdiction: { operation: "getJurisdiction", from: ({ code }) => ({ params: { code } }) } }
      },
      { parts: { jurisdictions: { operation: "listJurisdictions", from: () => ({}) } } }
    ]
  }),

  system_health: tool({
    title: "Check service health",
    description:
      "Reports whether the service and its stores work. Free, and counted by no limit. Use it when another " +
      "tool fails with a retryable error.",
    input: Schema.Struct({}),
    ways: [{ parts: { health: { operation: "health", from: () => ({}) } } }]
  })
} as const satisfies Record<string, Tool>

export type ToolName = keyof typeof tools

export const toolNames = Object.keys(tools) as ReadonlyArray<ToolName>

export const isToolName = (name: string): name is ToolName => Object.hasOwn(tools, name)
