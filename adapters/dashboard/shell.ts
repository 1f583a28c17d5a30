import type { Membership, Person } from "../../core/person/Person.ts"
import type { Html } from "../html/html.ts"
import { html } from "../html/html.ts"
import { assets } from "./assets.ts"
import type { FlashCode } from "./flash.ts"
import { flashHtml } from "./flash.ts"
import { actionButton } from "./formParts.ts"
import type { Section } from "./navigation.ts"
import { sections } from "./navigation.ts"
import type { PageAnswer } from "./Page.ts"

/** A page and who sees it, as far as that is known. */
export interface FramedPage {
  readonly page: PageAnswer
  readonly said: FlashCode | undefined
  readonly person: Person | undefined
  readonly memberships: ReadonlyArray<Membership>
  readonly membership: Membership | undefined
  readonly notices: ReadonlyArray<Html>
  readonly supportUrl: string
}

/** The whole document: header, navigation, notices, the page, footer. */
export const documentHtml = (framed: FramedPage): string => {
  const { page, person, membership } = framed
  const main = html`<main id="main" tabindex="-1"${widthClass(page)}>${flashHtml(framed.said)}${framed.notices}
<h1>${page.title}</h1>
${page.body}</main>`
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${titleOf(framed)}</title><link rel="icon" href="${assets.mark.path}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style.path}"><script type="module" src="${assets.script.path}"></script></head>
<body><a class="skip" href="#main">Skip to the page</a>
<header class="top"><div>${brand(person !== undefined)}${person === undefined ? html`` : switcher(framed)}
<div class="who">${person === undefined ? visitorLinks : account(person)}</div></div></header>
<div class="body${membership === undefined ? "" : " sided"}">${
    membership === undefined ? html`` : navigation(membership, page.section)
  }${main}</div>
<footer class="foot"><div><span>Coverage-Policy API</span><a href="/docs">Documentation</a>
<a href="/docs/errors">Errors</a><a href="${framed.supportUrl}">Support</a></div></footer>
<p id="copy-status" class="heard" role="status"></p></body></html>`.html
}

const titleOf = ({ page, membership }: FramedPage): string =>
  [
    again.has(page.status ?? 200) ? `Error: ${page.title}` : page.title,
    ...(membership === undefined ? [] : [membership.organizationName]),
    "Coverage-Policy API"
  ].join(" · ")

/** A form that is shown again: who hears the title learns at once that it was not taken. */
const again: ReadonlySet<number> = new Set([422, 429])

const widthClass = (page: PageAnswer): Html => (page.width === "narrow" ? html` class="narrow"` : html``)

// Beside the switcher a phone has room for the mark alone; the name is then heard, not seen.
const brand = (isSignedIn: boolean): Html =>
  html`<a class="brand${isSignedIn ? " tight" : ""}" href="${isSignedIn ? "/dashboard" : "/"}" aria-label="${
    isSignedIn ? "Coverage-Policy API, dashboard" : "Coverage-Policy API, front page"
  }"><svg
viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8"/><path
d="M9 16.5l5 5 9.5-11"/></svg><span>Coverage-Policy API</span></a>`

const visitorLinks = html`<a href="/docs">Documentation</a>`

const account = (person: Person): Html =>
  html`<span class="email" title="Signed in as ${person.email}">${person.email}</span>${actionButton({
    action: "/logout",
    label: "Sign out",
    tone: "quiet"
  })}`

/** A disclosure, which needs no script; the organization in view is marked. */
const switcher = ({ memberships, membership }: FramedPage): Html =>
  html`<details class="menu"><summary><span><span class="heard">Organization: </span>${
    membership?.organizationName ?? "Organizations"
  }</span></summary><ul>${memberships.map(
    ({ organizationId, organizationName }) =>
      html`<li><a href="/dashboard/${organizationId}/usage"${current(
        organizationId === membership?.organizationId,
        "true"
      )}>${organizationName}</a></li>`
  )}<li class="apart"><a href="/dashboard/new">New organization</a></li></ul></details>`

const navigation = (membership: Membership, section: Section | undefined): Html =>
  html`<nav class="sections" aria-label="${membership.organizationName}"><ul>${sections.map(
    (entry) =>
      html`<li><a href="/dashboard/${membership.organizationId}${entry.path}"${current(
        entry.section === section,
        "page"
      )}>${entry.title}</a></li>`
  )}</ul></nav>`

const current = (is: boolean, as: "page" | "true"): Html => (is ? html` aria-current="${as}"` : html``)
