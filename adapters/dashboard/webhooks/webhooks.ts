import * as Effect from "effect/Effect"
import type { Endpoint } from "../../../core/webhook/Endpoint.ts"
import * as managing from "../../../core/workflow/managing/webhooks.ts"
import { html } from "../../html/html.ts"
import { forbidden, missing, moved, shown } from "../answer.ts"
import type { MemberVisit } from "../Page.ts"
import { memberPage } from "../Page.ts"
import { confirmation, time } from "../parts.ts"
import { refusalFaults } from "./refusalFaults.ts"
import type { Wishing } from "./webhooksParts.ts"
import { eventsOf, secretBody, webhooksBody } from "./webhooksParts.ts"

const show = (visit: MemberVisit) => page(visit, { url: "", events: "*", faults: [] })

const create = Effect.fnUntraced(function* (visit: MemberVisit) {
  const url = visit.form.text("url")
  const events = visit.form.text("events")
  const body = { ...(url === "" ? {} : { url }), events: eventsOf(events) }
  const said = yield* managing.change(visit.actor, "createWebhook", { body })
  switch (said._tag) {
    case "Done": {
      const { id: endpointId, secret } = said.data
      const says = html`Everything sent to <strong>${said.data.url}</strong> is signed with it.`
      return secretPage(visit, { endpointId, secret, says })
    }
    case "Refused":
      return yield* page(visit, { url, events, faults: refusalFaults(said.refusal, ["url", "events"]) }, 422)
    case "NeedsScale":
    case "Limited":
      return moved(`${visit.home}/webhooks`, { says: "webhooks_need_scale" })
    case "Unknown":
      return missing
    case "Forbidden":
      return forbidden("change_webhook")
  }
})

const askRotate = (visit: MemberVisit) =>
  asking(visit, ({ endpointId, url }) => ({
    title: "Rotate the secret?",
    says: [
      html`A new secret signs what is sent to <strong>${url}</strong>. You see it once, on the next page.`,
      "For 24 hours every delivery carries both signatures, so that your receiver can be changed without a gap."
    ],
    action: `${visit.home}/webhooks/${endpointId}/rotate`,
    submit: "Rotate the secret"
  }))

const rotate = Effect.fnUntraced(function* (visit: MemberVisit) {
  const endpointId = idOf(visit)
  const said = yield* managing.change(visit.actor, "rotateWebhookSecret", { endpointId })
  switch (said._tag) {
    case "Done": {
      const { previous_secret_expires_at: until, secret } = said.data
      return secretPage(visit, {
        endpointId,
        secret,
        says: html`The secret before it signs beside it until ${time(until)}.`
      })
    }
    case "NeedsScale":
    case "Limited":
      return moved(`${visit.home}/webhooks`, { says: "webhooks_need_scale" })
    case "Refused":
    case "Unknown":
      return missing
    case "Forbidden":
      return forbidden("change_webhook")
  }
})

const askDelete = (visit: MemberVisit) =>
  asking(visit, ({ endpointId, url }) => ({
    title: "Delete this endpoint?",
    says: [
      html`Nothing more is sent to <strong>${url}</strong>, and its delivery log goes with it. That cannot be undone.`,
      "To stop deliveries for a while only, pause it."
    ],
    action: `${visit.home}/webhooks/${endpointId}/delete`,
    submit: "Delete the endpoint"
  }))

const remove = Effect.fnUntraced(function* (visit: MemberVisit) {
  const said = yield* managing.change(visit.actor, "deleteWebhook", { endpointId: idOf(visit) })
  switch (said._tag) {
    case "Done":
      return moved(`${visit.home}/webhooks`, { says: "webhook_deleted" })
    case "NeedsScale":
    case "Limited":
      return moved(`${visit.home}/webhooks`, { says: "webhooks_need_scale" })
    case "Refused":
    case "Unknown":
      return missing
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
export const idOf = (visit: MemberVisit, name = "endpoint"): number => {
  const text = visit.param(name)
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0
}

const page = Effect.fnUntraced(function* (visit: MemberVisit, wishing: Wishing, status = 200) {
  const found = yield* managing.list(visit.actor)
  return shown({ status, title: "Webhooks", section: "webhooks", body: webhooksBody(visit, found, wishing) })
})

const secretPage = (visit: MemberVisit, parts: Omit<Parameters<typeof secretBody>[0], "visit">) =>
  shown({ title: "Your new secret", section: "webhooks", body: secretBody({ visit, ...parts }) })

const asking = Effect.fnUntraced(function* (
  visit: MemberVisit,
  ask: (endpoint: Endpoint) => Omit<Parameters<typeof confirmation>[0], "cancel"> & { readonly title: string }
) {
  const found = yield* managing.find(visit.actor, idOf(visit))
  if (found === undefined) return missing
  const { title, ...asked } = ask(found.endpoint)
  const cancel = `${visit.home}/webhooks/${found.endpoint.endpointId}`
  return shown({ title, section: "webhooks", body: confirmation({ ...asked, cancel }) })
})
