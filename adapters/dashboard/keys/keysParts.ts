import { overlapEndMs, rotationFault } from "../../../core/key/pageKey.ts"
import type { KeyState } from "../../../core/key/state.ts"
import { may } from "../../../core/organization/role.ts"
import type { ShownKey } from "../../../core/admin/issueKeys.ts"
import { isoTimeOf } from "../../../core/coverage/date.ts"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import { whoMay } from "../answer.ts"
import type { Fault } from "../fields.ts"
import { choiceField, form, textField } from "../formParts.ts"
import type { MemberRequest } from "../Page.ts"
import { card, copyable, empty, lead, pill, rows, time } from "../parts.ts"
import { callLine } from "../usage/usageParts.ts"

/** A key as it was entered, and what is wrong with that. */
export interface KeyForm {
  readonly name: string
  readonly lifetime: string
  readonly faults: ReadonlyArray<Fault>
}

/** How long a key may live; "" is for ever. */
export const lifetimes = [
  { value: "", days: null, label: "Never" },
  { value: "30", days: 30, label: "In 30 days" },
  { value: "90", days: 90, label: "In 90 days" },
  { value: "365", days: 365, label: "In a year" }
] as const

/** The page of the keys: those in use, a form for another, and those that ended. */
export const keysBody = (request: MemberRequest, keys: ReadonlyArray<ShownKey>, draft: KeyForm): Html => {
  const mayCreate = may(request.actor.role, "create_key")
  const inUse = keys.filter(({ state }) => !hasEnded(state))
  const ended = keys.filter(({ state }) => hasEnded(state))
  return html`${lead(
    mayCreate
      ? "A key is what your programs call the API with. Give each program its own, so that one can be revoked alone."
      : html`A key is what programs call the API with. ${whoMay("create_key")}`
  )}
${mayCreate ? createCard(request, draft) : html``}
${card({
  title: "Keys in use",
  body:
    inUse.length === 0
      ? empty({
          title: "There is no key yet",
          says: mayCreate
            ? "Name the program it is for, above, and create one: the next page shows it with a first call."
            : `${whoMay("create_key")} Ask one of them for a key of your own.`
        })
      : rows(inUse.map((key) => keyRow(request, key)))
})}
${
  ended.length === 0
    ? html``
    : card({
        title: "Keys that ended",
        says: "Revoked and expired keys stay here, so that a call refused with one can be explained.",
        body: html`<details class="more"><summary>Show ${ended.length}</summary>${rows(
          ended.map((key) => keyRow(request, key))
        )}</details>`
      })
}`
}

/** The new key, shown this once (§2.5), and what to do with it. */
export const newKeyBody = (parts: {
  readonly request: MemberRequest
  readonly key: string
  readonly says: Html
}): Html =>
  html`<section class="secret" aria-labelledby="new-key"><h2 id="new-key">Copy the key now</h2>
<p>${parts.says} This is the only time it is shown: we keep no copy that could be read.</p>
${copyable({ id: "key", label: "the key", text: parts.key })}</section>
${card({
  title: "Make a first call",
  body: html`${copyable({ id: "first-call", label: "the command", text: callLine(parts.request.baseUrl, parts.key) })}
<p class="muted">Then see it on the <a href="${parts.request.home}/usage">usage page</a>.</p>`
})}
<div class="actions"><a class="button primary" href="${parts.request.home}/keys">I have stored it</a></div>`

const hasEnded = (state: KeyState): boolean => state === "revoked" || state === "expired"

const createCard = (request: MemberRequest, { faults, lifetime, name }: KeyForm): Html =>
  card({
    title: "Create a key",
    id: "create",
    says: "It only reads. One that writes, for webhooks and acknowledgements by program, is made by the operator.",
    body: form({
      action: `${request.home}/keys`,
      submit: "Create key",
      layout: "across",
      faults,
      fields: [
        textField({ name: "name", label: "Name", value: name, faults, hint: "Such as: nightly import" }),
        choiceField({
          name: "lifetime",
          label: "Expires",
          value: lifetime,
          options: lifetimes.map(({ label, value }) => ({ label, value })),
          faults
        })
      ]
    })
  })

const tones = { valid: "good", suspended: "warn", revoked: "bad", expired: "plain" } as const

const keyRow = (request: MemberRequest, { record, state }: ShownKey) => {
  const { createdAt, expiresAt, keyId, lastUsedAt, name, reason, scopes } = record
  return {
    title: html`${name} ${pill(state, tones[state])}${scopes.map((scope) => html` ${pill(scope)}`)}`,
    says: html`<code>${keyId}</code><br>Created ${time(createdAt)} · ${
      lastUsedAt === null ? "never used" : html`last used ${time(lastUsedAt)}`
    } · ${
      expiresAt === null
        ? "does not expire"
        : html`${state === "expired" ? "expired" : "expires"} ${time(expiresAt)}`
    }${state === "suspended" ? html`<br>${reason ?? "Suspended"}. Ask support to lift it.` : html``}`,
    actions: hasEnded(state) ? [] : actions(request, { record, state })
  }
}

const actions = (request: MemberRequest, { record, state }: ShownKey): ReadonlyArray<Html> => {
  const { role } = request.actor
  const overlapEnd = isoTimeOf(overlapEndMs(request.nowMs))
  const rotates = may(role, "rotate_key") && rotationFault(record, { state, overlapEnd }) === undefined
  const path = `${request.home}/keys/${record.keyId}`
  const link = (to: string, label: string): Html =>
    html`<a class="button quiet" href="${path}/${to}"
aria-label="${label} ${record.name}, ${record.keyId}">${label}</a>`
  return [
    ...(rotates ? [link("rotate", "Rotate")] : []),
    ...(may(role, "revoke_key") ? [link("revoke", "Revoke")] : [])
  ]
}
