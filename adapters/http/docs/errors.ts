import { errorAnchor, errorRow } from "../../../core/error/Refusal.ts"
import { errorCodes } from "../../../core/error/table.ts"
import type { ErrorCode } from "../../../core/error/table.ts"
import { html } from "../../html/html.ts"
import { page } from "./page.ts"

/** /docs/errors: one anchor per code, so that every `docUrl` leads somewhere (§7.1). */
export const errorsPage = (supportUrl: string) =>
  page(
    "Errors",
    html`<p>Every error has <code>success: false</code>, an <code>error</code> object and a
<code>meta.request_id</code>. Branch on <code>error.code</code>. Retry only when <code>error.retryable</code> is
true: on 429 wait <code>Retry-After</code> seconds, otherwise 1, 2 and 4 seconds, then give up.</p>
${errorCodes.map((code) => section(code, supportUrl))}`
  )

const section = (code: ErrorCode, supportUrl: string) => {
  const row = errorRow(code)
  return html`<section id="${errorAnchor(code)}"><h2><a href="#${errorAnchor(code)}"><code>${code}</code></a></h2>
<p>${row.message} ${row.hint.replace("{support}", supportUrl)}</p>
<dl><dt>Status</dt><dd>${row.status}</dd><dt>Retryable</dt><dd>${row.retryable ? "yes" : "no"}</dd></dl></section>`
}
