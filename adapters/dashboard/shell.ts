import type { Membership, Person } from "../../core/person/Person.ts"
import type { Html } from "../html/html.ts"
import { html } from "../html/html.ts"
import { assets } from "./assets.ts"
import type { FlashCode } from "./flash.ts"
import { flashHtml } from "./flash.ts"
import { actionButton } from "./form.ts"
import type { PageContent } from "./Page.ts"
import { sections } from "./Page.ts"
import type { Viewer } from "./router.ts"

/** The whole document: header, navigation, notices, the page, footer. */
export const documentHtml = ({
  flash,
  page,
  supportUrl,
  viewer
}: {
  readonly page: PageContent
  readonly supportUrl: string
  readonly flash?: FlashCode | undefined
  readonly viewer?: Viewer | undefined
}): string => {
  const membership = viewer?.membership
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${titleOf(page, membership)}</title><link rel="icon" href="${assets.mark.path}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style.path}"><script type="module" src="${assets.script.path}"></script></head>
<body><a class="skip" href="#main">Skip to the page</a>
<header class="top"><div>${brand(viewer !== undefined)}${viewer && switcher(viewer)}
<div class="who">${viewer ? account(viewer.person) : html`<a href="/docs">Documentation</a>`}</div></div></header>
<div class="body${membership && " sided"}">${
    membership && navigation(membership, page)
  }<main id="main" tabindex="-1"${page.width === "narrow" && html` class="narrow"`}>${
    flash && flashHtml(flash)
  }${viewer?.notices}
<h1>${page.title}</h1>
${page.body}</main></div>
<footer class="foot"><div><span>Coverage-Policy API</span><a href="/docs">Documentation</a>
<a href="/docs/errors">Errors</a><a href="${supportUrl}">Support</a></div></footer>
<p id="copy-status" class="heard" role="status"></p></body></html>`.html
}

/** Starts with "Error" when a form is shown again, so that a screen reader says it at once. */
const titleOf = ({ status = 200, title }: PageContent, membership: Membership | undefined): string =>
  [
    status === 422 || status === 429 ? `Error: ${title}` : title,
    ...(membership === undefined ? [] : [membership.organizationName]),
    "Coverage-Policy API"
  ].join(" · ")

// A phone has room for the mark alone beside the switcher; a screen reader still gets the name.
const brand = (isSignedIn: boolean): Html =>
  html`<a class="brand${isSignedIn && " tight"}" href="${isSignedIn ? "/dashboard" : "/"}" aria-label="${
    isSignedIn ? "Coverage-Policy API, dashboard" : "Coverage-Policy API, front page"
  }"><svg
viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8"/><path
d="M9 16.5l5 5 9.5-11"/></svg><span>Coverage-Policy API</span></a>`

const account = ({ email }: Person): Html =>
  html`<span class="email" title="Signed in as ${email}">${email}</span>${actionButton({
    action: "/logout",
    label: "Sign out",
    tone: "quiet"
  })}`

/** The menu of organizations: a disclosure, which needs no script. */
const switcher = ({ memberships, membership }: Viewer): Html =>
  html`<details class="menu"><summary><span><span class="heard">Organization: </span>${
    membership?.organizationName ?? "Organizations"
  }</span></summary><ul>${memberships.map(
    ({ organizationId, organizationName }) =>
      html`<li><a href="/dashboard/${organizationId}/usage"${
        organizationId === membership?.organizationId && html` aria-current="true"`
      }>${organizationName}</a></li>`
  )}<li class="apart"><a href="/dashboard/new">New organization</a></li></ul></details>`

const navigation = ({ organizationId, organizationName }: Membership, page: PageContent): Html =>
  html`<nav class="sections" aria-label="${organizationName}"><ul>${sections.map(
    ({ section, title }) =>
      html`<li><a href="/dashboard/${organizationId}/${section}"${
        section === page.section && html` aria-current="page"`
      }>${title}</a></li>`
  )}</ul></nav>`
