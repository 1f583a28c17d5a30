import { refusalsOf } from "../../../core/admission/gates.ts"
import { keyLengthMax } from "../../../core/idempotency/key.ts"
import { operationIds, operationRow } from "../../../core/operation/catalogue.ts"
import type { OperationId } from "../../../core/operation/catalogue.ts"
import { groupOf } from "../../../core/operation/Operation.ts"
import type { Operation } from "../../../core/operation/Operation.ts"
import { requirements } from "../../../core/operation/scope.ts"
import { packNames, packs } from "../../../core/organization/pack.ts"
import { keyRequest } from "../../../core/sandbox/guide.ts"
import { headerInput } from "./inputs.ts"
import type { Input } from "./inputs.ts"

/** What a reader is told first. */
export const introduction = [
  "What Medicare and payer policies say: which policies exist, where and on which dates they hold, which codes" +
    " they name, and what they decide. It takes rule-level inputs only and never patient data.",
  `Send \`Authorization: Bearer <API_KEY>\`. \`${keyRequest.method} ${keyRequest.path}\` answers a free test key` +
    " for the [sandbox](/docs/sandbox), which has the same operations over invented data.",
  "[Reading a coverage answer](/docs/reading-a-coverage-answer) explains statuses, conditions, gaps, risk" +
    " and trace together.",
  "Branch on [`error.code`](/docs/errors); retry only when `error.retryable` is true. [The quick" +
    " start](/docs/quickstart) leads to a first answer and a first verified [webhook](/docs/webhooks)."
].join("\n\n")

/** Describes each group of operations, and the events that the service sends. */
const tagDescriptions: Readonly<Record<string, string>> = {
  health: "Whether the service and its stores are up.",
  codes: "Medical codes with their descriptions, values and policies.",
  policies: "Coverage policies: search, read, compare, and list changes.",
  jurisdictions: "Medicare jurisdictions and their contractors (MACs).",
  payers: "Payers whose policies the service has.",
  coverage: "Criteria of policies, and the evaluation of one policy.",
  "prior-auth": "Whether prior authorization is required.",
  claims: "Claim checks before submission.",
  "claim-validation": "An alias of the claim checks.",
  compliance: "Acknowledgement of policy changes by your organization.",
  webhooks: "Endpoints of yours that receive events, and their deliveries.",
  releases: "Decisions of certified releases.",
  keys: "Test keys of the sandbox.",
  events: "Events that the service sends to your webhook endpoints."
}

/** Lists every group of operations, and the events, as tags. */
export const tags = [...new Set(operationIds.map((id) => groupOf(operationRow(id).path))), "events"].map(
  (name) => ({
    name,
    "x-displayName": name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " "),
    description: tagDescriptions[name] ?? ""
  })
)

/** What a caller needs for an operation, and what it costs, in one line. */
export const needsOf = ({ credits, feature, requirement }: Operation): string => {
  if (requirement === null) return "Needs no key and costs nothing."
  const scopes = requirements[requirement].map((scope) => `\`${scope}\``).join(" or ")
  const pack = feature === null ? "" : ` and the ${packTitles(feature)} pack`
  return `Needs the scope ${scopes}${pack}. Costs ${credits === 1 ? "1 credit" : `${credits} credits`}.`
}

/** The packs that have a feature, by their titles. */
export const packTitles = (feature: NonNullable<Operation["feature"]>): string =>
  packNames
    .filter((name) => packs[name][feature])
    .map((name) => packs[name].title)
    .join(" or ")

/** Whether a repeat with the same X-Idempotency-Key gets the first answer again. */
export const runsOnce = (row: Operation): boolean => refusalsOf(row).includes("REQUEST_IDEMPOTENCY_CONFLICT")

/** The header of an operation that runs once per key. Empty for other operations. */
export const idempotencyKey = (id: OperationId): ReadonlyArray<Input> =>
  runsOnce(operationRow(id))
    ? [headerInput(id, "X-Idempotency-Key", { type: "string", minLength: 1, maxLength: keyLengthMax })]
    : []
