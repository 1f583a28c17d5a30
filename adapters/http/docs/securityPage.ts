import { curlText } from "../../../core/sandbox/curlText.ts"
import { html } from "../../html/html.ts"
import { leakedKeyPath } from "../../../core/call/leakedKey.ts"
import type { Content, DocumentSite } from "./Content.ts"
import { page } from "./page.ts"
import { securityPath } from "./navigation.ts"
import { contactOf } from "./securityText.ts"

/** /docs/security: what security.txt points to, and its contact where the operator has named none. */
export const securityPage = (publishing: DocumentSite): Content => {
  const contact = contactOf(publishing)
  return page(
    securityPath,
    "Security",
    html`<h2 id="a-key-that-leaked">A key that leaked</h2>
<p>Whoever finds an API key somewhere public can end it. Show it to the service, which revokes it at once; no
credential is needed, and the organization whose key it was reads why in its audit log.</p>
<pre tabindex="0"><code>${curlText(showSection, publishing.baseUrl)}</code></pre>
<h2 id="a-weakness">A weakness</h2>
${
  contact === undefined
    ? unnamed
    : html`<p>Tell the operator of this service: <a href="${contact}">${contact}</a>.
Name the address and the time of each request, and its <code>X-Request-Id</code>.</p>`
}
<p>Send no patient data, and nobody else's keys. <a href="/.well-known/security.txt">security.txt</a> says the same
for programs.</p>`
  )
}

const showSection = {
  method: "POST",
  path: leakedKeyPath,
  authorization: "none",
  headers: { "content-type": "application/json" },
  body: '{"key": "svc_live_..."}'
} as const

const unnamed = html`<p>The operator of this service has not published where to be reached: a report goes to whoever
gave you its address, or your account.</p>`
