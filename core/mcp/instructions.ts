import { priceOf } from "./listing.ts"
import { toolNames, tools } from "./tools.ts"

/** What an agent is told of the whole server when it connects (MCP, `instructions`). */
export const instructions = (baseUrl: string): string =>
  [
    "Coverage-Policy API: read-only tools over Medicare and payer coverage policies, medical codes, prior " +
      "authorization rules and claim checks.",
    "Send rule-level inputs only: codes, states, payers, dates of service, age category. Anything that " +
      "identifies a patient is refused (PHI_NOT_ALLOWED) and not kept: never send names, birth dates, " +
      "member or record numbers, addresses, phones or mails.",
    "A usual way: coverage_lookup for a code, policy_research to find or read a policy, prior_auth_check " +
      "before a service, claim_validation before a claim is sent.",
    `Calls spend the organization's credits: ${toolNames.map((name) => `${name}: ${priceOf(tools[name])}`).join(" ")}`,
    "A call is charged as a whole before it runs. One that is refused before that spends nothing, and failures " +
      "of the service are given back; meta.credits says what a call cost and what is left.",
    "An error has code, message, hint and retryable: repeat a call only where retryable is true, after " +
      "details.retry_after_seconds where given; otherwise follow the hint.",
    "Answers are policy information only, not medical or legal advice and no guarantee of payment. Say so, " +
      "cite policy_id and source_url, tell meta.data_as_of, and do not hide requires_manual_review or " +
      "known_gaps.",
    `Reference: ${baseUrl}/docs`
  ].join("\n")
