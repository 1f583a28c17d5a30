import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { errorRow } from "../../../core/error/Refusal.ts"
import type { Refusal } from "../../../core/error/Refusal.ts"
import { may } from "../../../core/organization/role.ts"
import type { Endpoint, EndpointStatus } from "../../../core/webhook/Endpoint.ts"
import { endpointsMax, urlCharactersMax } from "../../../core/webhook/Endpoint.ts"
import type { Subscription } from "../../../core/webhook/event.ts"
import type { Finding } from "../../../core/phi/scan.ts"
import * as managing from "../../../core/admin/webhooks.ts"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import { rawField } from "../fields.ts"
import type { Fault, FormState, Option } from "../form.ts"
import { identifierFault, makeForm, newForm, rejectForm } from "../form.ts"
import type { Answer, MemberRequest } from "../Page.ts"
import { notFound, redirectTo, showPage } from "../Page.ts"
import * as parts from "../parts.ts"
import { actions, card, linkButton, small, number, pill, rows, time, whoMay } from "../parts.ts"

const eventOptions: ReadonlyArray<Option & { readonly value: Subscription }> = [
  { value: "*", label: "All events" },
  { value: "compliance.acknowledged", label: "compliance.acknowledged" }
]

/** The form of an endpoint. The API checks its fields. */
export const endpointForm = (submit: string) =>
  makeForm(submit, {
    url: rawField({
      label: "URL",
      hint: "A public https URL, such as https://hooks.example.com/coverage",
      control: { type: "url", charactersMax: urlCharactersMax }
    }),
    events: rawField({ label: "Events", control: { type: "select", options: eventOptions } })
  })

/** `events` as the API takes it. */
export const eventsOf = (value: string): ReadonlyArray<string> => (value === "" ? [] : [value])

/** What the API says is wrong with a body, at the fields of the same names. */
export const refusalFaults = (refusal: Refusal, fields: ReadonlyArray<string>): ReadonlyArray<Fault> => {
  const { details } = refusal
  if (details !== undefined && "findings" in details)
    return identifierFaults(details.findings as ReadonlyArray<Finding>, fields)
  const listed =
    details !== undefined && "fields" in details ? (details.fields as ReadonlyArray<FieldDetail>) : []
  const faults = listed.map(({ message, path }): Fault => {
    return { field: fieldAt(path, fields), says: message }
  })
  const { hint, message } = errorRow(refusal.code)
  return faults.length > 0 ? faults : [{ field: "", says: `${message} ${refusal.hint ?? hint ?? ""}`.trim() }]
}

const identifierFaults = (findings: ReadonlyArray<Finding>, fields: ReadonlyArray<string>) =>
  [...Map.groupBy(findings, ({ path }) => fieldAt(path, fields))].map(([field, found]) =>
    identifierFault(
      field,
      found.map(({ kind }) => kind)
    )
  )

/** The field of the form that a JSON pointer into the body names; "" for the whole form. */
const fieldAt = (path: string, fields: ReadonlyArray<string>): string => {
  const field = path.split("/")[2] ?? ""
  return fields.includes(field) ? field : ""
}

interface FieldDetail {
  readonly path: string
  readonly message: string
}

/** An id in the path; 0, which no row has, if it is not a number. */
export const idOf = (request: MemberRequest, name = "endpoint"): number => {
  const text = request.param(name)
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0
}

/** `<home>/webhooks/<endpoint>`, or `<home>/webhooks` for a path without an endpoint. */
export const endpointPath = ({ home, param }: MemberRequest): string =>
  [home, "webhooks", param("endpoint")].filter((part) => part !== "").join("/")

/** The answer to a change that was not made. */
export const notChanged = (
  request: MemberRequest,
  result: Exclude<managing.WebhookOutcome<"testWebhook">, { readonly _tag: "Done" }>
): Answer => {
  switch (result._tag) {
    case "NeedsScale":
      return redirectTo(`${request.home}/webhooks`, "webhooks_need_scale")
    case "Limited":
      return redirectTo(endpointPath(request), "webhook_test_limited")
    case "Refused":
      return notFound
    case "Unknown":
    case "Forbidden":
      return result
  }
}

const addForm = endpointForm("Add endpoint")

/** Shows the endpoints and a form for another (§4.2, contract §2). */
export const showWebhooks = (request: MemberRequest) => page(request, newForm({ events: "*" }))

/** Adds an endpoint and shows its secret once (§4.5). */
export const addEndpoint = Effect.fnUntraced(function* (request: MemberRequest) {
  const { actor, form } = request
  const input = addForm.parse(form)
  if (Result.isFailure(input)) return yield* page(request, input.failure)
  const { events, url } = input.success
  const body = { ...(url !== "" && { url }), events: eventsOf(events) }
  const result = yield* managing.change(actor, "createWebhook", { body })
  if (result._tag === "Refused")
    return yield* page(request, rejectForm(form, ...refusalFaults(result.refusal, ["url", "events"])))
  if (result._tag !== "Done") return notChanged(request, result)
  const { id, secret, url: saved } = result.data
  const says = html`It signs everything sent to <strong>${saved}</strong>.`
  return secretPage(request, { endpointId: id, secret, says })
})

/** Asks before the secret is rotated. */
export const confirmRotate = (request: MemberRequest) =>
  confirm(request, "rotate", ({ url }) => ({
    title: "Rotate the secret?",
    says: [
      html`A new secret signs what is sent to <strong>${url}</strong>. The next page shows it once.`,
      "For 24 hours every delivery carries both signatures, so that you can change your receiver without a gap."
    ],
    submit: "Rotate the secret"
  }))

/** Replaces the secret and shows the new one once. */
export const rotateSecret = Effect.fnUntraced(function* (request: MemberRequest) {
  const endpointId = idOf(request)
  const result = yield* managing.change(request.actor, "rotateWebhookSecret", { endpointId })
  if (result._tag !== "Done") return notChanged(request, result)
  const { previous_secret_expires_at: until, secret } = result.data
  const says = html`The old secret also signs until ${time(until)}.`
  return secretPage(request, { endpointId, secret, says })
})

/** Asks before an endpoint is deleted. */
export const confirmDelete = (request: MemberRequest) =>
  confirm(request, "delete", ({ url }) => ({
    title: "Delete this endpoint?",
    says: [
      html`Nothing more is sent to <strong>${url}</strong>, and its delivery log is deleted. You cannot undo this.`,
      "To stop deliveries for a while, pause it instead."
    ],
    submit: "Delete the endpoint"
  }))

/** Deletes an endpoint with its log. */
export const deleteEndpoint = Effect.fnUntraced(function* (request: MemberRequest) {
  const result = yield* managing.change(request.actor, "deleteWebhook", { endpointId: idOf(request) })
  return result._tag === "Done"
    ? redirectTo(`${request.home}/webhooks`, "webhook_deleted")
    : notChanged(request, result)
})

const page = Effect.fnUntraced(function* (request: MemberRequest, state: FormState) {
  const { endpoints, hasWebhooks } = yield* managing.list(request.actor)
  const mayChange = may(request.actor.role, "change_webhook")
  return showPage({
    ...state.response,
    title: "Webhooks",
    section: "webhooks",
    body: html`${parts.lead(
      html`We send a signed request to your servers when something happens. The <a href="/docs/webhooks">webhooks
guide</a> shows how to check the signature.`
    )}
${!hasWebhooks && needsScale(request, endpoints.length)}
${hasWebhooks && mayChange && addCard(request, state)}
${(hasWebhooks || endpoints.length > 0) && endpointsCard(request, endpoints, mayChange)}`
  })
})

const needsScale = ({ home }: MemberRequest, endpoints: number): Html =>
  card({
    title: "Webhooks come with the Scale plan",
    id: "scale",
    body: html`<p>When somebody acknowledges a policy change, we send it to your servers within seconds. We sign it and
retry for three days. A log shows every delivery, and you can replay each.</p>${
      endpoints > 0 &&
      html`<p class="notice warn">Your endpoints are kept. Until you are on Scale again, nothing is sent to them and
events are held.</p>`
    }${actions(
      linkButton({ href: `${home}/credits#packs`, label: "See plans and prices", tone: "primary" }),
      linkButton({ href: "/docs/webhooks", label: "Read the guide" })
    )}`
  })

const addCard = ({ home }: MemberRequest, state: FormState): Html =>
  card({
    title: "Add an endpoint",
    id: "add",
    says: `An organization can have ${number(endpointsMax)} endpoints.`,
    body: addForm.render(state, { action: `${home}/webhooks` })
  })

const endpointsCard = (
  { home }: MemberRequest,
  endpoints: ReadonlyArray<Endpoint>,
  mayChange: boolean
): Html =>
  card({
    title: "Endpoints",
    body:
      endpoints.length === 0
        ? parts.empty({
            title: "No endpoints yet",
            says: mayChange
              ? "Add the https URL of your server above. The next page shows the signing secret."
              : whoMay("change_webhook")
          })
        : html`${rows(
            endpoints.map((endpoint) => ({
              title: html`<a class="whole" href="${home}/webhooks/${endpoint.endpointId}">${endpoint.url}</a>`,
              says: html`${statusPills(endpoint)} Events: ${eventsText(endpoint)}`
            }))
          )}${!mayChange && small(whoMay("change_webhook"))}`
  })

const tones: Readonly<Record<EndpointStatus, "good" | "warn" | "bad" | "plain">> = {
  active: "good",
  paused: "warn",
  disabled: "bad",
  deleted: "plain"
}

/** The status, with the failures since the last success. */
export const statusPills = ({ failureCount, status }: Endpoint): Html =>
  html`${pill(status, tones[status])}${
    failureCount > 0 &&
    html` ${pill(`${number(failureCount)} failed in a row`, status === "active" ? "warn" : "bad")}`
  }`

/** The events an endpoint receives, in words. */
export const eventsText = ({ events }: Endpoint): string =>
  events.map((name) => (name === "*" ? "all" : name)).join(", ")

const secretPage = (
  { home }: MemberRequest,
  { endpointId, says, secret }: { readonly endpointId: number; readonly secret: string; readonly says: Html }
) =>
  showPage({
    title: "Your new secret",
    section: "webhooks",
    body: html`${parts.secretCard({ kind: "secret", text: secret, says })}
${card({
  title: "Check signatures with it",
  body: html`<p>Our deliveries follow Standard Webhooks, so a library for your language can check them. To try it on
your machine:</p>
${parts.copyable({
  id: "listen",
  label: "the command",
  text: `npm run --silent cli -- webhooks listen --port 8080 --secret ${secret}`
})}
${small(html`Read more in the <a href="/docs/webhooks">webhooks guide</a>.`)}`
})}
${actions(linkButton({ href: `${home}/webhooks/${endpointId}`, label: "I have stored it", tone: "primary" }))}`
  })

const confirm = Effect.fnUntraced(function* (
  request: MemberRequest,
  action: "rotate" | "delete",
  question: (endpoint: Endpoint) => Pick<Parameters<typeof parts.confirmPage>[0], "title" | "says" | "submit">
) {
  const found = yield* managing.find(request.actor, idOf(request))
  if (found === undefined) return notFound
  const cancel = endpointPath(request)
  const section = "webhooks"
  return parts.confirmPage({ ...question(found.endpoint), section, cancel, action: `${cancel}/${action}` })
})
