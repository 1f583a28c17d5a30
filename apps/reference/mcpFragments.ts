import { accessTokenSeconds, oauthScopes, refreshWindowSeconds } from "../../core/oauth/TokenHolder.ts"
import { priceOf } from "../../core/mcp/listing.ts"
import { toolNames, tools } from "../../core/mcp/tools.ts"
import { packNames, packs } from "../../core/organization/pack.ts"
import { code, table } from "./markdown.ts"

/** A question that a person may ask, and the arguments with which an assistant calls the tool for it. */
interface Sample {
  readonly question: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/** One sample for each tool, by its name. A test requires one for every tool and reads the arguments. */
export const toolSamples: Readonly<Record<string, Sample>> = {
  coverage_lookup: {
    question: "What is E0601, and which Medicare policies list it?",
    arguments: { code: "E0601" }
  },
  policy_research: {
    question: "Find the local policies on epidural steroid injections in Texas.",
    arguments: { q: "epidural steroid injection", policy_type: "LCD", jurisdiction: "TX" }
  },
  prior_auth_check: {
    question: "Does 64493 need prior authorization at an outpatient hospital in Texas?",
    arguments: { procedure_codes: ["64493"], state: "TX", site_of_service: "outpatient_hospital" }
  },
  claim_validation: {
    question: "Check a claim for 62323 with M54.16 in Texas before I send it.",
    arguments: { procedure_codes: ["62323"], diagnosis_codes: ["M54.16"], state: "TX" }
  },
  compliance_review: {
    question: "Which policy changes has my organization not acknowledged yet?",
    arguments: { view: "list_unreviewed" }
  },
  directory_lookup: {
    question: "Which contractor is responsible for JH?",
    arguments: { kind: "jurisdictions", code: "JH" }
  },
  system_health: { question: "Is the coverage service up?", arguments: {} }
}

const scopeMeanings: Readonly<Record<(typeof oauthScopes)[number], string>> = {
  "service:mcp": "Call the tools at this address, and nowhere else.",
  read: "Read policies, codes, coverage decisions and compliance figures."
}

/** The generated parts of docs/mcp.md: tools, samples, scopes and limits, from the tables of the service. */
export const mcpFragments = {
  tools: () =>
    table(
      ["Tool", "What it does", "Cost"],
      toolNames.map((name) => [code(name), tools[name].title, priceOf(tools[name])])
    ),
  samples: () =>
    table(
      ["Question", "Tool", "Arguments"],
      toolNames.flatMap((name) => {
        const sample = toolSamples[name]
        return sample === undefined
          ? []
          : [[sample.question, code(name), code(JSON.stringify(sample.arguments))]]
      })
    ),
  scopes: () =>
    table(
      ["Scope", "What it allows"],
      oauthScopes.map((scope) => [code(scope), scopeMeanings[scope]])
    ),
  lifetime: () =>
    `- Access ends ${refreshWindowSeconds / 86_400} days after your consent. Its tokens last for ` +
    `${accessTokenSeconds / 60} minutes and are renewed by the app.`,
  limits: () =>
    table(
      ["Plan", "Credits a minute", "Credits a day (UTC)", "Calls in flight"],
      packNames.map((name) => {
        const { concurrentCalls, requestsPerDay, requestsPerMinute, title } = packs[name]
        return [title, ...[requestsPerMinute, requestsPerDay, concurrentCalls].map(counted)]
      })
    )
} as const satisfies Readonly<Record<string, () => string>>

const counted = (count: number): string => count.toLocaleString("en-US")
