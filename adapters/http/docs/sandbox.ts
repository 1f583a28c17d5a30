import { errorAnchor, errorRow } from "../../../core/error/Refusal.ts"
import { errorCodes } from "../../../core/error/table.ts"
import type { ErrorCode } from "../../../core/error/table.ts"
import { curlText } from "../../../core/sandbox/curlText.ts"
import { examples } from "../../../core/sandbox/examples.ts"
import { anyError, guide, keyRequest, receiverRows } from "../../../core/sandbox/guide.ts"
import { reservedInputs } from "../../../core/sandbox/reservedInputs.ts"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import type { Content } from "./Content.ts"
import { page } from "./page.ts"

/** /docs/sandbox: how to get a test key, and how to meet every error on purpose (contract §3). */
export const sandboxPage = (baseUrl: string): Content =>
  page(
    "/docs/sandbox",
    "Sandbox",
    html`${guide.nature.map(paragraph)}
<pre tabindex="0"><code>${curlText(keyRequest, baseUrl)}</code></pre>
<h2 id="requests-that-succeed">Requests that succeed</h2><p>Write your key for <code>$KEY</code>, and one that
was made with the certified scope for <code>$CERTIFIED_KEY</code>. <code>$WEBHOOK</code> is the id of an endpoint
of yours, <code>$DELIVERY</code> that of one of its deliveries.</p>
<pre tabindex="0"><code>${Object.values(examples)
      .map((example) => curlText(example, baseUrl))
      .join("\n")}</code></pre>
<h2 id="receivers-of-webhooks">Receivers of webhooks</h2>${guide.receivers.slice(0, 1).map(paragraph)}
<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Host</th>
<th scope="col">What it does</th></tr></thead>
<tbody>${receiverRows.map(receiver)}</tbody></table></div>
${guide.receivers.slice(1).map(paragraph)}
<h2 id="any-error-on-any-operation">Any error, on any operation</h2>${guide.provoking.map(paragraph)}
<pre tabindex="0"><code>${curlText(anyError, baseUrl)}</code></pre>
<h2 id="every-error-as-it-comes-about">Every error as it comes about</h2>
${errorCodes.map((code) => reservedInput(code, baseUrl))}`
  )

const reservedInput = (code: ErrorCode, baseUrl: string): Html => {
  const { because, first, request } = reservedInputs[code]
  const lines = [...(first === undefined ? [] : [first]), request].map((one) => curlText(one, baseUrl))
  const anchor = errorAnchor(code)
  return html`<section id="${anchor}"><h3><a href="/docs/errors#${anchor}"><code>${code}</code></a>
${errorRow(code).status}</h3><p>${because}.</p><pre tabindex="0"><code>${lines.join("\n")}</code></pre></section>`
}

const receiver = ([host, does]: readonly [string, string]): Html =>
  html`<tr><td><code>${host}</code></td><td>${spoken(does)}</td></tr>`

const paragraph = (text: string): Html => html`<p>${spoken(text)}</p>`

/** Words between backquotes are code. */
const spoken = (text: string): ReadonlyArray<Html> =>
  text.split("`").map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))
