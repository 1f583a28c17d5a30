import { createHash } from "node:crypto"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import { briefly } from "./Content.ts"
import type { Text } from "./Content.ts"
import { navigation } from "./navigation.ts"
import { style } from "./style.ts"

/** What a page does beyond showing its text. */
export interface PagePermissions {
  /** The script that it runs, of this service; it may then ask this service, and style what it makes. */
  readonly script: string
  /** Where the script makes what it makes. */
  readonly beside: Html
}

/** A page of the documentation: nothing from elsewhere, and no script but where one is allowed. */
export const page = (path: string, title: string, body: Html, allowing?: PagePermissions): Text => ({
  contentType: "text/html; charset=utf-8",
  body: html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title} · Coverage-Policy API</title><link rel="icon" href="data:,">
<style>${{ html: style }}</style>${scriptOf(allowing)}</head>
<body><header class="bar"><a class="skip" href="#content">Skip to content</a>
<nav aria-label="Documentation">${navigation.map((item) => link(item, path))}</nav></header>
<main id="content" class="text"><h1>${title}</h1>${body}</main>${allowing?.beside ?? html``}</body></html>`
    .html,
  headers: pageHeaders(allowing !== undefined)
})

/** What a page is sent with; it may run a script of this service, or none. */
export const pageHeaders = (runsScript: boolean): Readonly<Record<string, string>> => ({
  ...briefly,
  "content-security-policy": policyOf(runsScript),
  "referrer-policy": "no-referrer"
})

const link = (item: (typeof navigation)[number], path: string): Html =>
  item.path === path
    ? html`<a href="${item.path}" aria-current="page">${item.name}</a>`
    : html`<a href="${item.path}">${item.name}</a>`

const scriptOf = (allowing: PagePermissions | undefined): Html =>
  allowing === undefined ? html`` : html`<script type="module" src="${allowing.script}"></script>`

const styleHash = createHash("sha256").update(style).digest("base64")

/** The interactive reference writes styles into the page; no script is ever taken from the page itself. */
const policyOf = (runsScript: boolean): string =>
  [
    "default-src 'none'",
    ...(!runsScript
      ? [`style-src 'sha256-${styleHash}'`, "img-src data:"]
      : [
          "style-src 'unsafe-inline'",
          "script-src 'self'",
          "connect-src 'self'",
          "img-src 'self' data: blob:"
        ]),
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'"
  ].join("; ")
