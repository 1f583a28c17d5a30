import * as Effect from "effect/Effect"
import type { Endpoint } from "../../../core/webhook/Endpoint.ts"
import * as managing from "../../../core/admin/webhooks.ts"
import { html } from "../../html/html.ts"
import { forbidden, notFound, redirectTo, showPage } from "../answer.ts"
import type { MemberRequest } from "../Page.ts"
import { memberPage } from "../Page.ts"
import { confirmation, time } from "../parts.ts"
import { refusalFaults } from "./refusalFaults.ts"
import type { EndpointForm } from "./webhooksParts.ts"
import { eventsOf, secretBody, webhooksBody } from "./webhooksParts.ts"

const show = (request: MemberRequest) => page(request, { url: "", events: "*", faults: [] })

const create = Effect.fnUntraced(function* (request: MemberRequest) {
  const url = request.form.text("url")
  const events = request.form.text("events")
  const body = { ...(url === "" ? {} : { url }), events: eventsOf(events) }
  const said = yield* managing.change(request.actor, "createWebhook", { body })
  switch (said._tag) {
    case "Done": {
      const { id: endpointId, secret } = said.data
      const says = html`Everything sent to <strong>${said.data.url}</strong> is signed with it.`
      return secretPage(request, { endpointId, secret, says })
    }
    case "Refused":
      return yield* page(
        request,
        { url, events, faults: refusalFaults(said.refusal, ["url", "events"]) },
        422
      )
    case "NeedsScale":
    case "Limited":
      return redirectTo(`${request.home}/webhooks`, { says: "webhooks_need_scale" })
    case "Unknown":
      return notFound
    case "Forbidden":
      return forbidden("change_webhook")
  }
})

const askRotate = (request: MemberRequest) =>
  confirmPage(request, ({ endpointId, url }) => ({
    title: "Rotate the secret?",
    says: [
      html`A new secret signs what is sent to <strong>${url}</strong>. You see it once, on the next page.`,
      "For 24 hours every delivery carries both signatures, so that your receiver can be changed without a gap."
    ],
    action: `${request.home}/webhooks/${endpointId}/rotate`,
    submit: "Rotate the secret"
  }))

const rotate = Effect.fnUntraced(function* (request: MemberRequest) {
  const endpointId = idOf(request)
  const said = yield* managing.change(request.actor, "rotateWebhookSecret", { endpointId })
  switch (said._tag) {
    case "Done": {
      const { previous_secret_expires_at: until, secret } = said.data
      return secretPage(request, {
        endpointId,
        secret,
        says: html`The secret before it signs beside it until ${time(until)}.`
      })
    }
    case "NeedsScale":
    case "Limited":
      return redirectTo(`${request.home}/webhooks`, { says: "webhooks_need_scale" })
    case "Refused":
    case "Unknown":
      return notFound
    case "Forbidden":
      return forbidden("change_webhook")
  }
})

const askDelete = (request: MemberRequest) =>
  confirmPage(request, ({ endpointId, url }) => ({
    title: "Delete this endpoint?",
    says: [
      html`Nothing more is sent to <strong>${url}</strong>, and its delivery log goes with it. That cannot be undone.`,
      "To stop deliveries for a while only, pause it."
    ],
    action: `${request.home}/webhooks/${endpointId}/delete`,
    submit: "Delete the endpoint"
  }))

const remove = Effect.fnUntraced(function* (request: MemberRequest) {
  const said = yield* managing.change(request.actor, "deleteWebhook", { endpointId: idOf(request) })
  switch (said._tag) {
    case "Done":
      return redirectTo(`${request.home}/webhooks`, { says: "webhook_deleted" })
    case "NeedsScale":
    case "Limited":
      return redirectTo(`${request.home}/webhooks`, { says: "webhooks_need_scale" })
    case "Refused":
    case "Unknown":
      return notFound
    case "Forbidden":
      return forbidden("change_webhook")
  }
})

/** The webhook endpoints of an organization (§4.2, contract §2). */
export const webhooksPages = [
  memberPage({ method: "GET", path: "/dashboard/:organization/webhooks", answer: show }),
  memberPage({
    method: "POST",
    path: "/dashboard/:organization/webhooks",
    permission: "change_webhook",
    answer: create
  }),
  memberPage({
    method: "GET",
    path: "/dashboard/:organization/webhooks/:endpoint/rotate",
    permission: "change_webhook",
    answer: askRotate
  }),
  memberPage({
    method: "POST",
    path: "/dashboard/:organization/webhooks/:endpoint/rotate",
    permission: "change_webhook",
    answer: rotate
  }),
  memberPage({
    method: "GET",
    path: "/dashboard/:organization/webhooks/:endpoint/delete",
    permission: "change_webhook",
    answer: askDelete
  }),
  memberPage({
    method: "POST",
    path: "/dashboard/:organization/webhooks/:endpoint/delete",
    permission: "change_webhook",
    answer: remove
  })
] as const

/** The number in the address; one that is no id leads to no endpoint. */
export const idOf = (request: MemberRequest, name = "endpoint"): number => {
  const text = request.param(name)
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0
}

const page = Effect.fnUntraced(function* (request: MemberRequest, draft: EndpointForm, status = 200) {
  const found = yield* managing.list(request.actor)
  return showPage({
    status,
    title: "Webhooks",
    section: "webhooks",
    body: webhooksBody(request, found, draft)
  })
})

const secretPage = (request: MemberRequest, parts: Omit<Parameters<typeof secretBody>[0], "request">) =>
  showPage({ title: "Your new secret", section: "webhooks", body: secretBody({ request, ...parts }) })

const confirmPage = Effect.fnUntraced(function* (
  request: MemberRequest,
  ask: (endpoint: Endpoint) => Omit<Parameters<typeof confirmation>[0], "cancel"> & { readonly title: string }
) {
  const found = yield* managing.find(request.actor, idOf(request))
  if (found === undefined) return notFound
  const { title, ...asked } = ask(found.endpoint)
  const cancel = `${request.home}/webhooks/${found.endpoint.endpointId}`
  return showPage({ title, section: "webhooks", body: confirmation({ ...asked, cancel }) })
})
