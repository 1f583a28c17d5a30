import { refusalsOf } from "../../../core/admission/gates.ts"
import { errorAnchor, errorRow } from "../../../core/error/Refusal.ts"
import { retryDecision, retryWaitsSeconds } from "../../../core/error/retry.ts"
import { errorCodes } from "../../../core/error/table.ts"
import type { ErrorCode } from "../../../core/error/table.ts"
import { operationIds, operationRow } from "../../../core/operation/catalogue.ts"
import { reservedInputs } from "../../../core/sandbox/reservedInputs.ts"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import { commonCodes } from "../openapi/answers.ts"
import type { Content } from "./Content.ts"
import { page } from "./page.ts"

/** /docs/errors: one anchor per code, so that every `docUrl` leads somewhere (§7.1). */
export const errorsPage = (supportUrl: string): Content =>
  page(
    "/docs/errors",
    "Errors",
    html`<p>Every error has <code>success: false</code>, an <code>error</code> object and a
<code>meta.request_id</code>. Branch on <code>error.code</code>. Retry only when <code>error.retryable</code> is
true: on 429 wait <code>Retry-After</code> seconds, otherwise ${waits}, then give up.</p>
<p>The message of a <code>VALIDATION_</code> error names the first faulty field and what it takes, and counts
the rest; <code>details.fields</code> says so of each, with <code>allowed</code> where only some words may
stand.</p>
<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Code</th><th scope="col">Status</th>
<th scope="col">Retry</th></tr></thead><tbody>${errorCodes.map(summary)}</tbody></table></div>
${errorCodes.map((code) => section(code, supportUrl))}`
  )

const waits = `${retryWaitsSeconds.slice(0, -1).join(", ")} and ${retryWaitsSeconds.at(-1)} seconds`

const summary = (code: ErrorCode): Html =>
  html`<tr><td><a href="#${errorAnchor(code)}"><code>${code}</code></a></td><td>${errorRow(code).status}</td>
<td>${errorRow(code).retryable ? "yes" : "no"}</td></tr>`

const section = (code: ErrorCode, supportUrl: string): Html => {
  const row = errorRow(code)
  const anchor = errorAnchor(code)
  return html`<section id="${anchor}"><h2><a href="#${anchor}"><code>${code}</code></a></h2>
<dl><dt>Status</dt><dd>${row.status}</dd>
<dt>What happened</dt><dd>${row.message}</dd>
<dt>How to fix</dt><dd>${spoken(row.hint.replace("{support}", supportUrl))}</dd>
<dt>Retry</dt><dd>${retryText(code)}</dd>
<dt>Said by</dt><dd>${saidBy(code)}</dd>
<dt>Meet it</dt><dd>In the <a href="/docs/sandbox#${anchor}">sandbox</a>: ${spoken(reservedInputs[code].because)}.</dd>
</dl></section>`
}

/** §7.4 for this code, as `retryDecision` judges it. */
const retryText = (code: ErrorCode): string => {
  const asked = { code, retriesDone: 0, retryAfterSeconds: null }
  const decision = retryDecision(asked)
  if (decision._tag === "GiveUp") return "No: the same request would be refused again."
  const same = decision.sameIdempotencyKey ? " Send the same X-Idempotency-Key again." : ""
  return errorRow(code).status === 429
    ? `Yes, after Retry-After seconds; at most ${retryWaitsSeconds.length} times.${same}`
    : `Yes, after ${waits}; then give up.${same}`
}

/** A code of every keyed operation needs no list. */
const saidBy = (code: ErrorCode): Html => {
  const sayers = operationIds.filter((id) => refusalsOf(operationRow(id)).includes(code))
  if (commonCodes.has(code)) return html`Every operation that takes a key`
  if (sayers.length === 0) return html`No operation of the reference: other addresses of the service`
  return html`${sayers.map((id) => html`<a href="/docs/operations#${id}"><code>${id}</code></a> `)}`
}

/** Words between backquotes are code. */
const spoken = (text: string): ReadonlyArray<Html> =>
  text.split("`").map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))
