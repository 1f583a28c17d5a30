import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Webhook as StandardWebhook } from "standardwebhooks"
import { Webhook as SvixWebhook } from "svix"
import * as MemoryReceiver from "../../adapters/memory/Receiver.ts"
import * as NodeCrypto from "../../adapters/node/Crypto.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { Crypto } from "../../core/port/Crypto.ts"
import { Endpoints } from "../../core/port/Endpoints.ts"
import { Receiver } from "../../core/port/Receiver.ts"
import type { ReceiverRequest } from "../../core/port/Receiver.ts"
import { SandboxReceiver } from "../../core/port/SandboxReceiver.ts"
import { Settings } from "../../core/port/Settings.ts"
import { openEndpoint } from "../../core/webhook/Endpoint.ts"
import type { Outcome } from "../../core/webhook/Outcome.ts"
import { secretContext, secretText } from "../../core/webhook/secret.ts"
import type { SealedSecret } from "../../core/webhook/secret.ts"

/** The secrets that endpoints of these tests are sealed under. */
export const secretKeys = ["a secret key of the tests, 32 characters long"] as const

export const courierSettings = Layer.merge(
  NodeCrypto.layer,
  Layer.succeed(Settings, { baseUrl: "", supportUrl: "", secretKeys })
)

/** One request that a receiver got, as both libraries saw it. */
export interface Got extends ReceiverRequest {
  readonly atMs: number
}

/** Receivers that are functions of the request, on both surfaces. */
export const receiverOf = (answer: (request: ReceiverRequest) => Effect.Effect<Outcome>) =>
  Layer.merge(
    MemoryReceiver.layer({ answer }),
    Layer.effect(SandboxReceiver, Receiver).pipe(Layer.provide(MemoryReceiver.layer({ answer })))
  )

/** A fresh secret: its text, and as it is kept. */
export const aSecret = Effect.fnUntraced(function* (organizationId: OrganizationId, nowMs: number) {
  const { randomBytes, encrypt } = yield* Crypto
  const text = secretText(randomBytes(32))
  const secretId = Buffer.from(randomBytes(10)).toString("hex")
  const context = secretContext({ organizationId, secretId })
  const sealed: SealedSecret = {
    secretId,
    sealed: encrypt({ secret: secretKeys[0], context, text }),
    createdAtMs: nowMs,
    expiresAtMs: null
  }
  return { text, sealed }
})

/** An endpoint with a secret that opens. */
export const aReceiver = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  url: string,
  nowMs: number
) {
  const { text, sealed } = yield* aSecret(organizationId, nowMs)
  const endpoint = openEndpoint({ organizationId, url, events: ["*"], secret: sealed, nowMs })
  const kept = yield* (yield* Endpoints).create(endpoint)
  if (kept === "full") throw new Error("the organization has room")
  return { endpoint: kept, secret: text }
})

/**
 * Throws unless both libraries that receivers use accept the message. Under another clock they are told it.
 */
export const verifies = (
  secret: string,
  message: { readonly headers: Readonly<Record<string, string>>; readonly body: string }
): void => {
  new SvixWebhook(secret).verify(message.body, { ...message.headers })
  new StandardWebhook(secret).verify(message.body, { ...message.headers })
}
