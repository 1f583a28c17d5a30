import { standIns } from "../../adapters/http/docs/staticFile.ts"
import { commonCodes } from "../../adapters/http/openapi/answers.ts"
import { jsonSchemaOf } from "../../core/operation/jsonSchema.ts"
import { refusalsOf } from "../../core/admission/gates.ts"
import { errorAnchor, errorRow } from "../../core/error/Refusal.ts"
import { retryDecision, retryWaitsSeconds } from "../../core/error/retry.ts"
import { errorCodes } from "../../core/error/table.ts"
import type { ErrorCode } from "../../core/error/table.ts"
import { operationIds, operationRow } from "../../core/operation/catalogue.ts"
import { reservedInputs } from "../../core/sandbox/reservedInputs.ts"
import { headingAt, code, page, table } from "./markdown.ts"
import { shapeText } from "./shapeText.ts"

/** docs/reference/errors.md: every code with the anchor that its docUrl names (§7.1). */
export const errorsPage = (): string =>
  page("Errors", "core/error/table.ts", [
    "Every error has `success: false`, an `error` and a `meta`. Branch on `error.code`. Retry only" +
      ` when \`error.retryable\` is true: after a 429 wait \`Retry-After\` seconds, otherwise ${waits}; then give up.`,
    "The message of a `VALIDATION_` error names the first faulty field and what it takes, and counts the" +
      " rest; `details.fields` says so of each, with `allowed` where only some words may stand.",
    table(
      ["Code", "Status", "Retryable"],
      errorCodes.map((name) => [
        `[${code(name)}](#${errorAnchor(name)})`,
        String(errorRow(name).status),
        yesOrNo(errorRow(name).retryable)
      ])
    ),
    ...errorCodes.map(section)
  ])

const section = (name: ErrorCode): string => {
  const { details, hint, message, status } = errorRow(name)
  const anchor = errorAnchor(name)
  const items = [
    ["Status", String(status)],
    ["What happened", message],
    ["How to fix", hint.replace("{support}", standIns.supportUrl)],
    ["Retry", retryText(name)],
    ...(details === undefined ? [] : [["Details", `${shapeText(jsonSchemaOf(details))}.`]]),
    ["Returned by", returnedBy(name)],
    ["Try it", `in the [sandbox](./sandbox.md#${anchor}): ${reservedInputs[name].because}.`]
  ]
  const list = items.map(([label, says]) => `- **${label}**: ${says}`).join("\n")
  return `${headingAt(anchor, `## ${code(name)}`)}\n\n${list}`
}

/** §7.4 for this code, as `retryDecision` judges it. */
const retryText = (name: ErrorCode): string => {
  const decision = retryDecision({ code: name, retriesDone: 0, retryAfterSeconds: null })
  if (decision._tag === "GiveUp") return "No: the same request would be refused again."
  const same = decision.sameIdempotencyKey ? " Send the same X-Idempotency-Key again." : ""
  return errorRow(name).status === 429
    ? `Yes, after Retry-After seconds; at most ${retryWaitsSeconds.length} times.${same}`
    : `Yes, after ${waits}; then give up.${same}`
}

const waits = `${retryWaitsSeconds.slice(0, -1).join(", ")} and ${retryWaitsSeconds.at(-1)} seconds`

/** A code of every keyed operation needs no list. */
const returnedBy = (name: ErrorCode): string => {
  const sayers = operationIds.filter((id) => refusalsOf(operationRow(id)).includes(name))
  if (commonCodes.has(name)) return "every operation that takes a key."
  if (sayers.length === 0) return "no operation of the reference: other addresses of the service."
  return `${sayers.map((id) => `[${code(id)}](./operations.md#${id.toLowerCase()})`).join(", ")}.`
}

const yesOrNo = (is: boolean): string => (is ? "yes" : "no")
