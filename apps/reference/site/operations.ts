import { refusalsOf } from "../../../core/admission/gates.ts"
import { errorAnchor } from "../../../core/error/Refusal.ts"
import type { ErrorCode } from "../../../core/error/table.ts"
import { operationIds, operationRow } from "../../../core/operation/catalogue.ts"
import type { OperationId } from "../../../core/operation/catalogue.ts"
import { surfacePrefix } from "../../../core/operation/Operation.ts"
import { requirements } from "../../../core/operation/scope.ts"
import { html } from "../../../adapters/html/html.ts"
import type { Html } from "../../../adapters/html/html.ts"
import { packTitles } from "../../../adapters/http/openapi/words.ts"

/** Every operation with its scope, its cost and its errors, from the catalogue. */
export const operationsTable = (): Html =>
  html`<p>Send <code>Authorization: Bearer &lt;API_KEY&gt;</code>. Costs are in request credits.
Each operation is also in the <a href="/docs/sandbox">sandbox</a>, free and with invented data.
<a href="/openapi.json">openapi.json</a> describes all of them for programs.
<a href="/docs/reading-a-coverage-answer">Reading a coverage answer</a> explains the fields of a decision.</p>
<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Operation</th><th scope="col">What it does</th>
<th scope="col">Scope</th><th scope="col">Cost</th><th scope="col">Errors</th></tr></thead>
<tbody>${operationIds.map(row)}</tbody></table></div>`

const row = (id: OperationId) => {
  const operation = operationRow(id)
  const scope = operation.requirement === null ? "none" : requirements[operation.requirement].join(" or ")
  const pack = operation.feature === null ? "" : `; ${packTitles(operation.feature)} pack`
  const codes = refusalsOf(operation)
  const path = surfacePrefix[operation.onlyOn ?? "live"] + operation.path
  return html`<tr id="${id.toLowerCase()}"><td class="long"><code>${operation.method} ${breakable(path)}</code></td>
<td>${operation.summary}${standingOf(id)}</td><td>${scope}${pack}</td>
<td>${operation.credits}</td>
<td><details><summary>${codes.length} codes</summary>${codes.map(link)}</details></td></tr>
`
}

/** A path that may go on in the next line after each of its steps. */
const breakable = (path: string): ReadonlyArray<Html> =>
  path.split(/(?<=\/)/).map((step) => html`${step}<wbr>`)

const standingOf = (id: OperationId): string => {
  const { deprecated } = operationRow(id)
  return deprecated === undefined ? "" : ` (deprecated, until ${deprecated.sunset})`
}

const link = (code: ErrorCode) => html`<a href="/docs/errors#${errorAnchor(code)}"><code>${code}</code></a> `
