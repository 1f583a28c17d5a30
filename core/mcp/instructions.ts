import { priceOf } from "./listing.ts"
import { toolNames, tools } from "./tools.ts"

/** Returns the instructions that a client receives when it connects (MCP, `instructions`). */
export const instructions = (baseUrl: string): string =>
  [
    "Coverage-Policy API: read-only tools over Medicare and payer coverage policies, medical codes, prior " +
      "authorization rules and claim checks.",
    "Send rule-level inputs only: codes, states, payers, dates of service, age category. Anything that " +
      "identifies a patient is rejected (PHI_NOT_ALLOWED) and not stored: never send names, birth dates, " +
      "member or record numbers, addresses, phone numbers or email addresses.",
    "Use coverage_lookup for a code, policy_research to find or read a policy, prior_auth_check before a " +
      "service, claim_validation before a claim is submitted, and directory_lookup for the names of payers " +
      "and jurisdictions.",
    "Read a decision in this order: coverage_status, then conditions (a person must confirm each one, and " +
      "its id goes back in attested_conditions), then known_gaps (missing facts; attesting never removes " +
      "one). `covered` means that every condition is met or confirmed; `unknown` is not a denial. " +
      `${baseUrl}/docs/reading-a-coverage-answer explains every status, condition kind and gap.`,
    `Calls spend the organization's credits: ${toolNames.map((name) => `${name}: ${priceOf(tools[name])}`).join(" ")}`,
    "A call is charged as a whole before it runs. A call that is rejected before it runs costs nothing, " +
      "and failures of the service are refunded; meta.credits has the cost of a call and the remaining credits.",
    "An error has code, message, hint and retryable: repeat a call only where retryable is true, after " +
      "details.retry_after_seconds where given; otherwise follow the hint.",
    "Answers are policy information only, not medical or legal advice and no guarantee of payment. Say so, " +
      "cite policy_id and source_url, include meta.data_as_of, and do not hide requires_manual_review or " +
      "known_gaps.",
    `Reference: ${baseUrl}/docs/mcp`
  ].join("\n")
