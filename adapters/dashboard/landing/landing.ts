import * as Effect from "effect/Effect"
import { starterCredits } from "../../../core/organization/pack.ts"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import { showPage } from "../answer.ts"
import type { OpenRequest } from "../Page.ts"
import { openPage } from "../Page.ts"
import { card, copyable, lead } from "../parts.ts"

const show = ({ baseUrl, person }: OpenRequest) =>
  Effect.succeed(
    showPage({
      title: "What Medicare and payer policies say, as an API",
      body: html`${lead(
        "Which policies exist, where and on which dates they hold, which medical codes they name, and what they " +
          "decide. Your programs ask in JSON and get rules: patient data is never taken."
      )}
${person === undefined ? newcomer : returningSection}
<div class="columns">${trySection(baseUrl)}${readSection}${connectSection(baseUrl)}</div>
${runSection}`
    })
  )

/** The front door: what the service is, and where somebody goes next. */
export const landingPages = [openPage({ method: "GET", path: "/", answer: show })] as const

const newcomer = html`<div class="actions"><a class="button primary" href="/signup">Create an account</a>
<a class="button" href="/login">Sign in</a></div>
<p class="muted">An account is free: your organization begins with ${starterCredits} credits,
enough for as many plain calls.</p>`

const returningSection = html`<div class="actions"><a class="button primary"
href="/dashboard">To the dashboard</a></div>`

const trySection = (baseUrl: string): Html =>
  card({
    title: "Try it without an account",
    body: html`<p>The sandbox answers like the service, from a small invented library, and costs nothing. This command
gets a key for it:</p>
${copyable({ id: "sandbox-key", label: "the command", text: `curl -X POST ${baseUrl}/api/sandbox/v1/keys` })}
<p><a href="/docs/sandbox">How the sandbox works</a></p>`
  })

const readSection = card({
  title: "Read how it works",
  body: html`<ul class="links"><li><a href="/docs/quickstart">Quick start</a>, to a first coverage answer</li>
<li><a href="/docs">Reference</a> of every operation, to try in the page</li>
<li><a href="/docs/errors">Errors</a>, and what to do about each</li></ul>`
})

const connectSection = (baseUrl: string): Html =>
  card({
    title: "Ask through an assistant",
    body: html`<p>Assistants that know MCP connect to this address. They ask you to sign in and agree, and only
read.</p>
${copyable({ id: "mcp", label: "the address", text: `${baseUrl}/mcp` })}`
  })

const runSection = html`<p class="muted">Is it running? Its <a href="/api/v1/health">health</a> says so for each of its
parts, in JSON, without a key.</p>`
