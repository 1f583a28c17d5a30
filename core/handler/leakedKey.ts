import * as Effect from "effect/Effect"
import { refused } from "../error/Refusal.ts"
import type { ApiKey } from "../key/Key.ts"
import type { KeyHash, KeyHolder } from "../key/state.ts"
import { isOwnOrganization } from "../key/testKey.ts"
import { Audit } from "../port/Audit.ts"
import { Crypto } from "../port/Crypto.ts"
import { Keys } from "../port/Keys.ts"
import { Transactions } from "../port/Transactions.ts"
import type { AnyHandler, CallContext } from "./Handler.ts"

/**
 * `POST /security/leaked-key {"key"}`: whoever found a key somewhere public shows it, and it is revoked at
 * once. Nobody needs a credential for it, since the key itself is one. A key that is revoked already is
 * answered alike; one that nobody issued is said to be unknown, as it would be if it were used (§7.3), so
 * that its finder does not take it for a wrong address. The key stands in no answer and no log.
 */
export const makeLeakedKeyHandler = Effect.gen(function* () {
  const keys = yield* Keys
  const audit = yield* Audit
  const { sha256Hex } = yield* Crypto
  const { write } = yield* Transactions

  const revoke = ({ key }: KeyHolder, { now }: CallContext) =>
    Effect.gen(function* () {
      yield* keys.change({ keyId: key.keyId, action: "revoke", reason: leakedReason })
      if (!isOwnOrganization(key)) {
        yield* audit.append({
          organizationId: key.organizationId,
          at: now,
          actor: { kind: "service" },
          action: "key.revoked",
          subject: key.keyId,
          detail: leakedReason
        })
      }
      return { _tag: "Keep", value: undefined, answer: noAnswer } as const
    })

  const revokeLeakedKey = (shown: ApiKey, context: CallContext) =>
    Effect.gen(function* () {
      const holder = yield* keys.find(sha256Hex(shown) as KeyHash)
      if (holder === undefined) return unknownKey
      if (holder.key.mark !== "revoked")
        yield* write({ claim: undefined, charge: undefined, work: revoke(holder, context) })
      return { _tag: "Data" as const, data: { key_id: holder.key.keyId, revoked: true as const } }
    })

  const handler: AnyHandler = (input, context) =>
    revokeLeakedKey((input as { readonly body: ApiKey }).body, context)
  return { revokeLeakedKey: handler } as const
})

const noAnswer = new Uint8Array(0)

/** What the key's owner reads as its reason. */
const leakedReason = "shown to the service as leaked"

/** The same for every text that is no key of ours, however near to one it comes. */
export const unknownKey = refused(
  "AUTH_KEY_NOT_FOUND",
  undefined,
  "No key was revoked, since this service issued none that reads so: show the whole key as it was found."
)
