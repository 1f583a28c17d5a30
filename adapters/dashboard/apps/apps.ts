import * as Effect from "effect/Effect"
import type { ConnectedApp } from "../../../core/port/ConnectedApps.ts"
import * as managing from "../../../core/admin/apps.ts"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import { forbidden, notFound, redirectTo, showPage, whoMay } from "../answer.ts"
import type { MemberRequest } from "../Page.ts"
import { memberPage } from "../Page.ts"
import { card, confirmation, copyable, empty, lead, rows, time } from "../parts.ts"

const show = Effect.fnUntraced(function* (request: MemberRequest) {
  const apps = yield* managing.list(request.actor)
  const rest = apps.some((app) => !managing.mayDisconnect(request.actor, app))
  return showPage({
    title: "Connected apps",
    section: "apps",
    body: html`${lead(
      "Assistants that you let ask coverage questions in the organization’s name, by MCP. They only read, and " +
        "spend its credits."
    )}
${card({
  title: "Connect an app",
  says: "Add this address to your assistant as a remote MCP server. It then sends you here to sign in and agree.",
  body: copyable({ id: "mcp", label: "the address", text: `${request.baseUrl}/mcp` })
})}
${card({
  title: "Connected now",
  body: html`${
    apps.length === 0
      ? empty({
          title: "No app is connected",
          says:
            "One that somebody here has agreed to stands here until they or an admin disconnect it, or 30 days " +
            "pass."
        })
      : rows(apps.map((app) => appRow(request, app)))
  }${rest ? html`<p class="muted">${whoMay("disconnect_any_app")}</p>` : html``}`
})}`
  })
})

const appRow = (request: MemberRequest, app: ConnectedApp) => {
  const { clientName, connectedAt, endsAt, grantId, lastUsedAt, person } = app
  const path = `${request.home}/apps/${encodeURIComponent(grantId)}/disconnect`
  return {
    title: clientName,
    says: html`By ${person.name} (${person.email}), ${time(connectedAt)} · ${
      lastUsedAt === null ? "not used yet" : html`last used ${time(lastUsedAt)}`
    } · until ${time(endsAt)}`,
    actions: managing.mayDisconnect(request.actor, app)
      ? [
          html`<a class="button quiet" href="${path}" aria-label="Disconnect ${clientName} of
${person.name}">Disconnect</a>`
        ]
      : ([] as ReadonlyArray<Html>)
  }
}

const ask = Effect.fnUntraced(function* (request: MemberRequest) {
  const apps = yield* managing.list(request.actor)
  const app = apps.find(({ grantId }) => grantId === request.param("grant"))
  if (app === undefined) return notFound
  if (!managing.mayDisconnect(request.actor, app)) return forbidden("disconnect_any_app")
  return showPage({
    title: `Disconnect ${app.clientName}?`,
    section: "apps",
    body: confirmation({
      says: [
        html`<strong>${app.clientName}</strong>, connected by ${app.person.name}, can ask nothing more at once. To come
back it must be agreed to anew.`
      ],
      action: `${request.home}/apps/${encodeURIComponent(app.grantId)}/disconnect`,
      submit: "Disconnect the app",
      cancel: `${request.home}/apps`
    })
  })
})

const disconnect = Effect.fnUntraced(function* (request: MemberRequest) {
  const said = yield* managing.disconnect(request.actor, request.param("grant"))
  switch (said._tag) {
    case "Disconnected":
      return redirectTo(`${request.home}/apps`, { says: "app_disconnected" })
    case "Unknown":
      return notFound
    case "Forbidden":
      return forbidden("disconnect_any_app")
  }
})

/** The apps that ask in an organization's name (§5, MCP authentication). */
export const appsPages = [
  memberPage({ method: "GET", path: "/dashboard/:organization/apps", answer: show }),
  memberPage({ method: "GET", path: "/dashboard/:organization/apps/:grant/disconnect", answer: ask }),
  memberPage({ method: "POST", path: "/dashboard/:organization/apps/:grant/disconnect", answer: disconnect })
] as const
