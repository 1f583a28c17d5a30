import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { refused } from "../error/Refusal.ts"
import { refusedFields } from "../error/fieldFaults.ts"
import { Endpoints } from "../port/Endpoints.ts"
import type { EndpointKey } from "../port/Endpoints.ts"
import { endpointsMax, openEndpoint } from "../webhook/Endpoint.ts"
import { secretOverlapMs } from "../webhook/secret.ts"
import type { EndpointPatch, EndpointTransition } from "../webhook/transitions.ts"
import { moveEndpoint, patchEndpoint, rotateEndpointSecret } from "../webhook/transitions.ts"
import type { Endpoint } from "../webhook/Endpoint.ts"
import type { Caller, Commit, Handler, Unavailable, WriteHandler } from "./Handler.ts"
import { makeValidateTarget } from "./validateTarget.ts"
import { entryOf, makeAppendEntry } from "./appendEntry.ts"
import { isoTimeOf } from "../coverage/date.ts"
import { commit, prepare } from "./WritePlan.ts"
import { makeWebhookSecrets } from "./webhookSecrets.ts"
import { webhookView } from "./webhookView.ts"

/** The endpoints of the caller's organization (§4.2, §4.3, contract §2): made, listed, changed, deleted. */
export const makeWebhookHandlers = Effect.gen(function* () {
  const endpoints = yield* Endpoints
  const validateTarget = yield* makeValidateTarget
  const secrets = yield* makeWebhookSecrets
  const audit = yield* makeAppendEntry

  /** The endpoint as it became; undefined: there is none, or it is another organization's. */
  const changed = (place: EndpointKey, move: (endpoint: Endpoint, nowMs: number) => EndpointTransition) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
      endpoints.change(place, (endpoint) => move(endpoint, nowMs))
    )

  const createWebhook: WriteHandler<"createWebhook"> = ({ body }, context) => {
    const { organizationId } = context.caller
    const create = Effect.gen(function* () {
      const nowMs = yield* Clock.currentTimeMillis
      const { text, sealed } = secrets.draw(organizationId, nowMs)
      const created = yield* endpoints.create(
        openEndpoint({ ...body, organizationId, secret: sealed, nowMs })
      )
      if (created === "full") return tooMany
      const { endpointId } = created
      yield* audit(context, { action: "webhook.created", subject: String(endpointId), detail: toHost(body) })
      return { _tag: "Data" as const, data: { ...webhookView(created), secret: text } }
    })
    return prepare(
      Effect.map(
        validateTarget(body.url, "/body/url"),
        (refusal): Commit<"createWebhook"> => commit(refusal === undefined ? create : Effect.succeed(refusal))
      )
    )
  }

  const listWebhooks: Handler<"listWebhooks"> = (_, { caller }) =>
    Effect.map(endpoints.list(caller.organizationId), (found) => ({
      _tag: "Data",
      data: found.map(webhookView)
    }))

  const updateWebhook: WriteHandler<"updateWebhook"> = ({ params, body }, context) => {
    const place = placeOf(params, context.caller)
    const logged = {
      action: "webhook.changed",
      subject: String(place.endpointId),
      detail: toPatch(body)
    } as const
    const atMs = DateTime.makeUnsafe(context.now).epochMilliseconds
    const tell = (endpoint: Endpoint) => ({ _tag: "Data" as const, data: webhookView(endpoint) })
    const update = Effect.gen(function* () {
      const endpoint = yield* endpoints.change(place, (found) => patchEndpoint(found, body, atMs))
      if (endpoint === undefined) return refused("RESOURCE_NOT_FOUND")
      if (endpoint.updatedAtMs === atMs) yield* audit(context, logged)
      return tell(endpoint)
    })
    const amendment = { place, patch: body, atMs, entry: entryOf(context, logged) }
    const updating: Commit<"updateWebhook"> = { _tag: "Plain", amendment, tell, work: update }
    const { url } = body
    if (url === undefined) return updating
    return prepare(
      Effect.gen(function* (): Effect.fn.Return<Commit<"updateWebhook">, Unavailable> {
        if ((yield* endpoints.find(place)) === undefined)
          return commit(Effect.succeed(refused("RESOURCE_NOT_FOUND")))
        const refusal = yield* validateTarget(url, "/body/url")
        return refusal === undefined ? updating : commit(Effect.succeed(refusal))
      })
    )
  }

  const deleteWebhook: WriteHandler<"deleteWebhook"> = ({ params }, context) =>
    commit(
      Effect.gen(function* () {
        const endpoint = yield* changed(placeOf(params, context.caller), (found, nowMs) =>
          moveEndpoint(found, "deleted", nowMs)
        )
        if (endpoint === undefined) return refused("RESOURCE_NOT_FOUND")
        const { endpointId: id } = endpoint
        yield* audit(context, { action: "webhook.deleted", subject: String(id), detail: toHost(endpoint) })
        return { _tag: "Data" as const, data: { id, deleted: true as const } }
      })
    )

  const rotateWebhookSecret: WriteHandler<"rotateWebhookSecret"> = ({ params }, context) =>
    commit(
      Effect.gen(function* () {
        const nowMs = yield* Clock.currentTimeMillis
        const { text, sealed } = secrets.draw(context.caller.organizationId, nowMs)
        const endpoint = yield* endpoints.change(placeOf(params, context.caller), (found) =>
          rotateEndpointSecret(found, sealed, nowMs)
        )
        if (endpoint === undefined) return refused("RESOURCE_NOT_FOUND")
        const until = isoTimeOf(nowMs + secretOverlapMs)
        const subject = String(endpoint.endpointId)
        yield* audit(context, { action: "webhook.secret_rotated", subject, detail: null })
        const data = { id: endpoint.endpointId, secret: text, previous_secret_expires_at: until }
        return { _tag: "Data" as const, data }
      })
    )

  return { createWebhook, listWebhooks, updateWebhook, deleteWebhook, rotateWebhookSecret } as const
})

/** An endpoint of a path, as the caller may name it. */
export const placeOf = ({ id }: { readonly id: number }, { organizationId }: Caller): EndpointKey => ({
  organizationId,
  endpointId: id
})

/** The host alone: the rest of a URL may be a secret of its receiver's. */
const toHost = ({ url }: { readonly url: string }): string =>
  `to ${/^https?:\/\/([^/?#]+)/.exec(url)?.[1] ?? "no host"}`

const toPatch = ({ url, events, status }: EndpointPatch): string =>
  [
    ...(url === undefined ? [] : [toHost({ url })]),
    ...(events === undefined ? [] : [`events ${events.join(", ")}`]),
    ...(status === undefined ? [] : [`status ${status}`])
  ].join("; ")

const tooMany = refusedFields([
  { path: "/body", code: "too_many", message: `An organization has at most ${endpointsMax} endpoints.` }
])
