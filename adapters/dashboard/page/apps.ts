import * as Effect from "effect/Effect"
import type { ConnectedApp } from "../../../core/oauth/OAuthGrant.ts"
import * as managing from "../../../core/admin/apps.ts"
import { html } from "../../html/html.ts"
import type { Answer, MemberRequest } from "../Page.ts"
import { notFound, redirectTo, showPage } from "../Page.ts"
import { card, confirmPage, copyable, empty, lead, linkButton, small, rows, time, whoMay } from "../parts.ts"

/** Shows the apps that call in the organization's name (§5, MCP authentication). */
export const showApps = Effect.fnUntraced(function* (request: MemberRequest) {
  const { actor, baseUrl } = request
  const apps = yield* managing.list(actor)
  return showPage({
    title: "Connected apps",
    section: "apps",
    body: html`${lead(
      "AI assistants that ask coverage questions for the organization over MCP. They can only read, and they spend " +
        "its credits."
    )}
${card({
  title: "Connect an app",
  says: "Add this address to your assistant as a remote MCP server. It sends you here to sign in and allow access.",
  body: html`${copyable({ id: "mcp", label: "the address", text: `${baseUrl}/mcp` })}
<p><a href="/docs/mcp">Steps for Claude, ChatGPT, Cursor, VS Code and others</a></p>`
})}
${card({
  title: "Connected now",
  body: html`${
    apps.length === 0
      ? empty({
          title: "No apps connected",
          says: "A connected app appears here until it is disconnected or its 30 days have passed.",
          action: html`<a class="button" href="/docs/mcp">Connect an agent</a>`
        })
      : rows(apps.map((app) => appRow(request, app)))
  }${apps.some((app) => !managing.mayDisconnect(actor, app)) && small(whoMay("disconnect_any_app"))}`
})}`
  })
})

const appRow = (request: MemberRequest, app: ConnectedApp) => {
  const { clientName, connectedAt, endsAt, lastUsedAt, person } = app
  const disconnection = linkButton({
    href: disconnectPath(request, app),
    label: "Disconnect",
    says: `Disconnect ${clientName} of ${person.name}`,
    tone: "quiet"
  })
  return {
    title: clientName,
    says: html`By ${person.name} (${person.email}), ${time(connectedAt)} · ${
      lastUsedAt === null ? "never used" : html`last used ${time(lastUsedAt)}`
    } · until ${time(endsAt)}`,
    actions: managing.mayDisconnect(request.actor, app) ? [disconnection] : []
  }
}

const disconnectPath = ({ home }: MemberRequest, { grantId }: ConnectedApp): string =>
  `${home}/apps/${encodeURIComponent(grantId)}/disconnect`

/** Everybody may disconnect their own apps, so the row of the page names no permission. */
const notTheirs: Answer = { _tag: "Forbidden", permission: "disconnect_any_app" }

/** Asks before an app is disconnected. */
export const confirmDisconnect = Effect.fnUntraced(function* (request: MemberRequest) {
  const apps = yield* managing.list(request.actor)
  const app = apps.find(({ grantId }) => grantId === request.param("grant"))
  if (app === undefined) return notFound
  if (!managing.mayDisconnect(request.actor, app)) return notTheirs
  return confirmPage({
    title: `Disconnect ${app.clientName}?`,
    section: "apps",
    says: [
      html`<strong>${app.clientName}</strong>, connected by ${app.person.name}, loses access at once. To connect it
again, somebody must allow it again.`
    ],
    action: disconnectPath(request, app),
    submit: "Disconnect the app",
    cancel: `${request.home}/apps`
  })
})

/** Ends an app's access. */
export const disconnect = Effect.fnUntraced(function* ({ actor, home, param }: MemberRequest) {
  const result = yield* managing.disconnect(actor, param("grant"))
  if (result._tag === "Disconnected") return redirectTo(`${home}/apps`, "app_disconnected")
  return result._tag === "Forbidden" ? notTheirs : notFound
})
