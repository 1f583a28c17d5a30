import * as Effect from "effect/Effect"
import type { KeyNameFault } from "../../../core/key/pageKey.ts"
import { keyNameCharactersMax, overlapEndMs, rotationFault } from "../../../core/key/pageKey.ts"
import { dayMs } from "../../../core/limit/quota.ts"
import * as managing from "../../../core/admin/keys.ts"
import { isoTimeOf } from "../../../core/coverage/date.ts"
import { html } from "../../html/html.ts"
import { forbidden, notFound, redirectTo, showPage } from "../answer.ts"
import type { Fault } from "../fields.ts"
import type { MemberRequest } from "../Page.ts"
import { memberPage } from "../Page.ts"
import { confirmation, time } from "../parts.ts"
import type { KeyForm } from "./keysParts.ts"
import { keysBody, lifetimes, newKeyBody } from "./keysParts.ts"

const show = (request: MemberRequest) => page(request, { name: "", lifetime: "", faults: [] })

const create = Effect.fnUntraced(function* (request: MemberRequest) {
  const name = request.form.text("name")
  const lifetime = lifetimes.find(({ value }) => value === request.form.text("lifetime"))
  const again = (faults: ReadonlyArray<Fault>) =>
    page(request, { name, lifetime: lifetime?.value ?? "", faults }, 422)
  if (lifetime === undefined) return yield* again([{ field: "lifetime", says: "Choose when it expires." }])
  const expiresAt = lifetime.days === null ? null : isoTimeOf(request.nowMs + lifetime.days * dayMs)
  const said = yield* managing.create(request.actor, { name, expiresAt })
  switch (said._tag) {
    case "Issued":
      return showPage({
        title: "Your new key",
        section: "keys",
        body: newKeyBody({
          request,
          key: said.key,
          says: html`<strong>${said.record.name}</strong> works at once.`
        })
      })
    case "Form":
      return yield* again([
        said.field === "name"
          ? { field: "name", says: nameFaults[said.code] }
          : { field: "lifetime", says: "Choose when it expires." }
      ])
    case "TooMany":
      return yield* again([{ field: "", says: `There are ${said.max} keys in use. Revoke one that is not.` }])
    case "Forbidden":
      return forbidden("create_key")
  }
})

const askRevoke = Effect.fnUntraced(function* (request: MemberRequest) {
  const key = yield* managing.find(request.actor, request.param("key"))
  if (key === undefined) return notFound
  const { keyId, lastUsedAt, name } = key.record
  return showPage({
    title: `Revoke ${name}?`,
    section: "keys",
    body: confirmation({
      says: [
        html`<strong>${name}</strong> (<code>${keyId}</code>) is refused everywhere within a second. That cannot be
undone.`,
        lastUsedAt === null
          ? "It was never used."
          : html`It was last used ${time(lastUsedAt)}. If a program still needs it, rotate it instead.`
      ],
      action: `${request.home}/keys/${keyId}/revoke`,
      submit: "Revoke the key",
      cancel: `${request.home}/keys`
    })
  })
})

const revoke = Effect.fnUntraced(function* (request: MemberRequest) {
  const said = yield* managing.revoke(request.actor, request.param("key"))
  switch (said._tag) {
    case "Revoked":
      return redirectTo(`${request.home}/keys`, { says: "key_revoked" })
    case "Unknown":
      return notFound
    case "Forbidden":
      return forbidden("revoke_key")
  }
})

const askRotate = Effect.fnUntraced(function* (request: MemberRequest) {
  const key = yield* managing.find(request.actor, request.param("key"))
  if (key === undefined) return notFound
  const overlapEnd = isoTimeOf(overlapEndMs(request.nowMs))
  if (rotationFault(key.record, { state: key.state, overlapEnd }) !== undefined)
    return redirectTo(`${request.home}/keys`, { says: "key_not_rotated" })
  const { keyId, name } = key.record
  return showPage({
    title: `Rotate ${name}?`,
    section: "keys",
    body: confirmation({
      says: [
        html`A new key with the same name takes the place of <strong>${name}</strong> (<code>${keyId}</code>). You
see it once, on the next page.`,
        "The old key works beside it for 24 hours, then it expires. Change it in your programs before that."
      ],
      action: `${request.home}/keys/${keyId}/rotate`,
      submit: "Rotate the key",
      cancel: `${request.home}/keys`
    })
  })
})

const rotate = Effect.fnUntraced(function* (request: MemberRequest) {
  const said = yield* managing.rotate(request.actor, request.param("key"))
  switch (said._tag) {
    case "Issued":
      return showPage({
        title: "Your new key",
        section: "keys",
        body: newKeyBody({
          request,
          key: said.key,
          says: html`It takes the place of <strong>${said.before.record.name}</strong>, which works until ${time(
            said.until
          )}.`
        })
      })
    case "NotRotated":
      return redirectTo(`${request.home}/keys`, { says: "key_not_rotated" })
    case "Unknown":
      return notFound
    case "Forbidden":
      return forbidden("rotate_key")
  }
})

/** The keys of an organization (§2.5, §5.5, §5.7). */
export const keysPages = [
  memberPage({ method: "GET", path: "/dashboard/:organization/keys", answer: show }),
  memberPage({
    method: "POST",
    path: "/dashboard/:organization/keys",
    permission: "create_key",
    answer: create
  }),
  memberPage({
    method: "GET",
    path: "/dashboard/:organization/keys/:key/revoke",
    permission: "revoke_key",
    answer: askRevoke
  }),
  memberPage({
    method: "POST",
    path: "/dashboard/:organization/keys/:key/revoke",
    permission: "revoke_key",
    answer: revoke
  }),
  memberPage({
    method: "GET",
    path: "/dashboard/:organization/keys/:key/rotate",
    permission: "rotate_key",
    answer: askRotate
  }),
  memberPage({
    method: "POST",
    path: "/dashboard/:organization/keys/:key/rotate",
    permission: "rotate_key",
    answer: rotate
  })
] as const

const nameFaults: Readonly<Record<KeyNameFault, string>> = {
  required: "Name the program that the key is for.",
  too_long: `Use at most ${keyNameCharactersMax} characters.`,
  invalid: "Use letters, digits and punctuation only."
}

const page = Effect.fnUntraced(function* (request: MemberRequest, draft: KeyForm, status = 200) {
  const keys = yield* managing.list(request.actor)
  return showPage({ status, title: "Keys", section: "keys", body: keysBody(request, keys, draft) })
})
