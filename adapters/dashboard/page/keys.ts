import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { isoTimeOf } from "../../../core/coverage/date.ts"
import type { KeyNameFault } from "../../../core/key/pageKey.ts"
import { keyNameCharactersMax, overlapEndMs, readKeyName, rotationFault } from "../../../core/key/pageKey.ts"
import type { KeyState } from "../../../core/key/state.ts"
import { dayMs } from "../../../core/limit/quota.ts"
import { may } from "../../../core/organization/role.ts"
import type { ShownKey } from "../../../core/admin/issueKeys.ts"
import * as managing from "../../../core/admin/keys.ts"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import { choiceField } from "../fields.ts"
import type { Field, FormState } from "../form.ts"
import { makeForm, newForm, rejectField, rejectForm } from "../form.ts"
import type { MemberRequest } from "../Page.ts"
import { notFound, redirectTo, showPage } from "../Page.ts"
import * as parts from "../parts.ts"
import { card, small, pill, time, whoMay } from "../parts.ts"
import { callCommand } from "./usage.ts"

const nameFaults: Readonly<Record<KeyNameFault, string>> = {
  required: "Enter the name of the program that uses the key.",
  too_long: `Use at most ${keyNameCharactersMax} characters.`,
  invalid: "Use letters, digits and punctuation only."
}

const nameField: Field<string> = {
  label: "Name",
  hint: "For example: nightly import",
  control: { type: "text" },
  parse: (sent, name) => {
    const read = readKeyName(sent.text(name))
    return read._tag === "Name" ? Result.succeed(read.name) : Result.fail(nameFaults[read.code])
  }
}

const keyForm = makeForm("Create key", {
  name: nameField,
  /** In days; "" never expires. */
  lifetime: choiceField({
    label: "Expires",
    options: [
      { value: "", label: "Never" },
      { value: "30", label: "In 30 days" },
      { value: "90", label: "In 90 days" },
      { value: "365", label: "In a year" }
    ],
    missing: "Choose when it expires."
  })
})

/** Shows the keys and a form for another. */
export const showKeys = (request: MemberRequest) => page(request, newForm())

/** Creates a key and shows it once (§2.5). */
export const createKey = Effect.fnUntraced(function* (request: MemberRequest) {
  const { actor, form, nowMs } = request
  const input = keyForm.parse(form)
  if (Result.isFailure(input)) return yield* page(request, input.failure)
  const { lifetime, name } = input.success
  const expiresAt = lifetime === "" ? null : isoTimeOf(nowMs + Number(lifetime) * dayMs)
  const result = yield* managing.create(actor, { name, expiresAt })
  switch (result._tag) {
    case "Issued":
      return newKeyPage(request, result.key, html`<strong>${result.record.name}</strong> works at once.`)
    case "Form":
      return yield* page(request, rejectField(form, result.field === "name" ? result : { field: "lifetime" }))
    case "TooMany": {
      const says = `You have ${result.max} keys in use, the most an organization can have. Revoke one first.`
      return yield* page(request, rejectForm(form, { field: "", says }))
    }
    case "Forbidden":
      return result
  }
})

/** Asks before a key is revoked. */
export const confirmRevoke = Effect.fnUntraced(function* ({ actor, home, param }: MemberRequest) {
  const key = yield* managing.find(actor, param("key"))
  if (key === undefined) return notFound
  const { keyId, lastUsedAt, name } = key.record
  return parts.confirmPage({
    title: `Revoke ${name}?`,
    section: "keys",
    says: [
      html`<strong>${name}</strong> (<code>${keyId}</code>) stops working everywhere within a second. You cannot undo
this.`,
      lastUsedAt === null
        ? "It was never used."
        : html`It was last used ${time(lastUsedAt)}. If a program still needs it, rotate it instead.`
    ],
    action: `${home}/keys/${keyId}/revoke`,
    submit: "Revoke the key",
    cancel: `${home}/keys`
  })
})

/** Revokes a key for good (§3.2). */
export const revokeKey = Effect.fnUntraced(function* ({ actor, home, param }: MemberRequest) {
  const result = yield* managing.revoke(actor, param("key"))
  return result._tag === "Revoked" ? redirectTo(`${home}/keys`, "key_revoked") : result
})

/** Asks before a key is rotated. */
export const confirmRotate = Effect.fnUntraced(function* (request: MemberRequest) {
  const { actor, home, param } = request
  const key = yield* managing.find(actor, param("key"))
  if (key === undefined) return notFound
  if (!canRotate(request, key)) return redirectTo(`${home}/keys`, "key_not_rotated")
  const { keyId, name } = key.record
  return parts.confirmPage({
    title: `Rotate ${name}?`,
    section: "keys",
    says: [
      html`A new key with the same name replaces <strong>${name}</strong> (<code>${keyId}</code>). The next page
shows it once.`,
      "The old key keeps working for 24 hours, then it expires. Replace it in your programs before that."
    ],
    action: `${home}/keys/${keyId}/rotate`,
    submit: "Rotate the key",
    cancel: `${home}/keys`
  })
})

/** Replaces a key and shows the new one once; the old one works for another day (§9). */
export const rotateKey = Effect.fnUntraced(function* (request: MemberRequest) {
  const { actor, home, param } = request
  const result = yield* managing.rotate(actor, param("key"))
  switch (result._tag) {
    case "Issued": {
      const { name } = result.before.record
      const says = html`It replaces <strong>${name}</strong>, which works until ${time(result.until)}.`
      return newKeyPage(request, result.key, says)
    }
    case "NotRotated":
      return redirectTo(`${home}/keys`, "key_not_rotated")
    case "Unknown":
    case "Forbidden":
      return result
  }
})

const page = Effect.fnUntraced(function* (request: MemberRequest, state: FormState) {
  const keys = yield* managing.list(request.actor)
  const mayCreate = may(request.actor.role, "create_key")
  const inUse = keys.filter(({ state }) => !hasEnded(state))
  const ended = keys.filter(({ state }) => hasEnded(state))
  return showPage({
    ...state.response,
    title: "Keys",
    section: "keys",
    body: html`${parts.lead(
      mayCreate
        ? "Your programs call the API with a key. Give each program its own, so that you can revoke it alone."
        : `Programs call the API with a key. ${whoMay("create_key")}`
    )}
${mayCreate && createCard(request, state)}
${card({
  title: "Keys in use",
  body:
    inUse.length > 0
      ? parts.rows(inUse.map((key) => keyRow(request, key)))
      : parts.empty({
          title: "No keys yet",
          says: mayCreate
            ? "Create a key above. The next page shows it with a first call."
            : `${whoMay("create_key")} Ask one of them for a key of your own.`
        })
})}
${
  ended.length > 0 &&
  card({
    title: "Revoked and expired keys",
    says: "They stay here to explain calls that were refused with them.",
    body: html`<details class="more"><summary>Show ${ended.length}</summary>${parts.rows(
      ended.map((key) => keyRow(request, key))
    )}</details>`
  })
}`
  })
})

const createCard = ({ home }: MemberRequest, state: FormState): Html =>
  card({
    title: "Create a key",
    id: "create",
    says: "It can only read. Contact support for a key that writes, for webhooks and acknowledgements by a program.",
    body: keyForm.render(state, { action: `${home}/keys`, layout: "across" })
  })

const newKeyPage = ({ baseUrl, home }: MemberRequest, key: string, says: Html) =>
  showPage({
    title: "Your new key",
    section: "keys",
    body: html`${parts.secretCard({ kind: "key", text: key, says })}
${card({
  title: "Make a first call",
  body: html`${parts.copyable({ id: "first-call", label: "the command", text: callCommand(baseUrl, key) })}
${small(html`Then see it on the <a href="${home}/usage">usage page</a>.`)}`
})}
${parts.actions(parts.linkButton({ href: `${home}/keys`, label: "I have stored it", tone: "primary" }))}`
  })

const hasEnded = (state: KeyState): boolean => state === "revoked" || state === "expired"

const canRotate = ({ nowMs }: MemberRequest, { record, state }: ShownKey): boolean =>
  rotationFault(record, { state, overlapEnd: isoTimeOf(overlapEndMs(nowMs)) }) === undefined

const tones = { valid: "good", suspended: "warn", revoked: "bad", expired: "plain" } as const

const keyRow = (request: MemberRequest, key: ShownKey) => {
  const { record, state } = key
  const { createdAt, expiresAt, keyId, lastUsedAt, name, reason, scopes } = record
  const { role } = request.actor
  const link = (to: "rotate" | "revoke", label: string): Html =>
    parts.linkButton({
      href: `${request.home}/keys/${keyId}/${to}`,
      label,
      says: `${label} ${name}, ${keyId}`,
      tone: "quiet"
    })
  const expiry = expiresAt && html`${state === "expired" ? "expired" : "expires"} ${time(expiresAt)}`
  return {
    title: html`${name} ${pill(state, tones[state])}${scopes.map((scope) => html` ${pill(scope)}`)}`,
    says: html`<code>${keyId}</code><br>Created ${time(createdAt)} · ${
      lastUsedAt === null ? "never used" : html`last used ${time(lastUsedAt)}`
    } · ${expiry ?? "does not expire"}${
      state === "suspended" && html`<br>${reason ?? "Suspended"}. Contact support to lift the suspension.`
    }`,
    actions: [
      ...(may(role, "rotate_key") && canRotate(request, key) ? [link("rotate", "Rotate")] : []),
      ...(may(role, "revoke_key") && !hasEnded(state) ? [link("revoke", "Revoke")] : [])
    ]
  }
}
