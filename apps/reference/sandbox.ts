import { errorAnchor, errorRow } from "../../core/error/Refusal.ts"
import { errorCodes } from "../../core/error/table.ts"
import type { ErrorCode } from "../../core/error/table.ts"
import { curlText } from "../../core/sandbox/curlText.ts"
import { examples } from "../../core/sandbox/examples.ts"
import { anyError, guide, keyRequest, receiverRows } from "../../core/sandbox/guide.ts"
import { reservedInputs } from "../../core/sandbox/reservedInputs.ts"
import type { ReservedRequest } from "../../core/sandbox/reservedInputs.ts"
import { standIns } from "../../adapters/http/docs/staticFile.ts"
import { headingAt, code, page, table } from "./markdown.ts"

/** docs/reference/sandbox.md: test keys, and a request for every error (contract §3). */
export const sandboxPage = (): string =>
  page("Sandbox", "core/sandbox/guide.ts, examples.ts and reservedInputs.ts", [
    ...guide.nature,
    shell([keyRequest]),
    "## Requests that succeed",
    "Write your key for `$KEY`, and one that was made with the certified scope for `$CERTIFIED_KEY`." +
      " `$WEBHOOK` is the id of an endpoint of yours, `$DELIVERY` that of one of its deliveries.",
    shell(Object.values(examples)),
    "## Receivers of webhooks",
    ...guide.receivers.slice(0, 1),
    table(
      ["Host", "What it does"],
      receiverRows.map(([host, does]) => [code(host), does])
    ),
    ...guide.receivers.slice(1),
    "## Any error, on any operation",
    ...guide.provoking,
    shell([anyError]),
    "## Every error as it comes about",
    ...errorCodes.map(reservedInput)
  ])

const reservedInput = (name: ErrorCode): string => {
  const { because, first, request } = reservedInputs[name]
  const anchor = errorAnchor(name)
  const heading = `### [${code(name)}](./errors.md#${anchor}) ${errorRow(name).status}`
  return [
    headingAt(anchor, heading),
    `${because}.`,
    shell(first === undefined ? [request] : [first, request])
  ].join("\n\n")
}

const shell = (requests: ReadonlyArray<ReservedRequest>): string =>
  ["```sh", ...requests.map((request) => curlText(request, standIns.baseUrl)), "```"].join("\n")
