import { createHash } from "node:crypto"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"

const style = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 20%, transparent) }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1.5rem }
nav a { margin-right: 1rem } code { font-family: ui-monospace, monospace; overflow-wrap: anywhere }
table { border-collapse: collapse; width: 100% } .scroll, pre { overflow-x: auto }
h2 { font-size: 1.1rem } h3 { font-size: 1rem }
th, td { text-align: left; padding: .4rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top }
section { border-bottom: 1px solid var(--line); padding-bottom: .5rem }
section:target { background: color-mix(in srgb, gold 18%, transparent) }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem } dt { font-weight: 600 } dd { margin: 0 }
`
const styleHash = createHash("sha256").update(style).digest("base64")
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "frame-ancestors 'none'",
  "base-uri 'none'"
].join("; ")

/** A page of the documentation: no script, nothing from elsewhere. */
export const page = (title: string, body: Html): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(
    html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title} · Coverage-Policy API</title><style>${{ html: style }}</style></head>
<body><nav aria-label="Documentation"><a href="/docs">Operations</a><a href="/docs/errors">Errors</a><a
href="/docs/sandbox">Sandbox</a></nav>
<main><h1>${title}</h1>${body}</main></body></html>`.html,
    {
      contentType: "text/html; charset=utf-8",
      headers: {
        "content-security-policy": contentSecurityPolicy,
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cache-control": "public, max-age=300"
      }
    }
  )
