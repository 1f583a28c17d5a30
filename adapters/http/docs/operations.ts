import { refusalsOf } from "../../../core/admission/gates.ts"
import { errorAnchor } from "../../../core/error/Refusal.ts"
import type { ErrorCode } from "../../../core/error/table.ts"
import { operationIds, operationRow } from "../../../core/operation/catalogue.ts"
import type { OperationId } from "../../../core/operation/catalogue.ts"
import { surfacePrefix } from "../../../core/operation/Operation.ts"
import { isPending } from "../../../core/operation/pending.ts"
import { requirements } from "../../../core/operation/scope.ts"
import { html } from "../../html/html.ts"
import { page } from "./page.ts"

/** /docs: every operation with its scope, its cost and what it may refuse with, from the catalogue. */
export const operationsPage = () =>
  page(
    "Operations",
    html`<p>Send <code>Authorization: Bearer &lt;API_KEY&gt;</code>. Costs are in request credits.
Each operation is also in the <a href="/docs/sandbox">sandbox</a>, free and with invented data.</p>
<div class="scroll"><table><thead><tr><th scope="col">Operation</th><th scope="col">What it does</th>
<th scope="col">Scope</th><th scope="col">Cost</th><th scope="col">Errors</th></tr></thead>
<tbody>${operationIds.map(row)}</tbody></table></div>`
  )

const row = (id: OperationId) => {
  const operation = operationRow(id)
  const scope = operation.requirement === null ? "none" : requirements[operation.requirement].join(" or ")
  const pack = operation.feature === null ? "" : "; Scale pack"
  const codes = refusalsOf(operation)
  const path = surfacePrefix[operation.onlyOn ?? "live"] + operation.path
  return html`<tr><td><code>${operation.method} ${path}</code></td>
<td>${operation.summary}${isPending(id) ? " (not available yet)" : ""}</td><td>${scope}${pack}</td>
<td>${operation.credits}</td>
<td><details><summary>${codes.length} codes</summary>${codes.map(link)}</details></td></tr>`
}

const link = (code: ErrorCode) => html`<a href="/docs/errors#${errorAnchor(code)}"><code>${code}</code></a> `
