import * as Effect from "effect/Effect"
import { starterCredits } from "../../../core/organization/pack.ts"
import { html } from "../../html/html.ts"
import type { OpenRequest } from "../Page.ts"
import { showPage } from "../Page.ts"
import { actions, card, copyable, lead, linkButton, small } from "../parts.ts"

/** The front page: what the service is, and where to go next. */
export const showLanding = ({ baseUrl, person }: OpenRequest) =>
  Effect.succeed(
    showPage({
      title: "Medicare and payer coverage policies as an API",
      body: html`${lead(
        "Find the policies that apply on a date, where they apply, which medical codes they name and what they " +
          "decide. Your programs send JSON and receive rules. The API never takes patient data."
      )}
${
  person === undefined
    ? html`${actions(
        linkButton({ href: "/signup", label: "Create an account", tone: "primary" }),
        linkButton({ href: "/login", label: "Sign in" })
      )}${small(`An account is free. Your organization starts with ${starterCredits} credits.`)}`
    : actions(linkButton({ href: "/dashboard", label: "Go to the dashboard", tone: "primary" }))
}
<div class="columns">${[
        card({
          title: "Try it without an account",
          body: html`<p>The sandbox works like the service, with a small made-up library, and is free. Get a key for it
with this command:</p>
${copyable({ id: "sandbox-key", label: "the command", text: `curl -X POST ${baseUrl}/api/sandbox/v1/keys` })}
<p><a href="/docs/sandbox">How the sandbox works</a></p>`
        }),
        card({
          title: "Read the documentation",
          body: html`<ul class="links"><li><a href="/docs/quickstart">Quick start</a>: your first coverage answer</li>
<li><a href="/docs">Reference</a>: try every operation in the page</li>
<li><a href="/docs/errors">Errors</a>: what to do about each</li></ul>`
        }),
        assistants(baseUrl)
      ]}</div>
${small(html`Is it running? See its <a href="/api/v1/health">health</a> in JSON, without a key.`)}`
    })
  )

const assistants = (baseUrl: string) =>
  card({
    title: "Connect an AI assistant",
    body: html`<p>Assistants that support MCP connect to this address. They send you here to sign in and allow
access, and they can only read.</p>
${copyable({ id: "mcp", label: "the address", text: `${baseUrl}/mcp` })}
<p><a href="/docs/mcp">How to connect Claude, ChatGPT, Cursor and others</a></p>`
  })
