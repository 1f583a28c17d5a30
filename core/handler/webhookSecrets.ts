import * as Effect from "effect/Effect"
import { idRandomBytes, timeId } from "../id/timeId.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { Crypto } from "../port/Crypto.ts"
import { Settings } from "../port/Settings.ts"
import type { Endpoint } from "../webhook/Endpoint.ts"
import { liveSecrets, secretBytesCount, secretContext, secretText } from "../webhook/secret.ts"
import type { SealedSecret } from "../webhook/secret.ts"

/** A new secret: its text, which is shown once and kept nowhere, and what is kept. */
export interface DrawnSecret {
  readonly text: string
  readonly sealed: SealedSecret
}

/** Draws the secrets of endpoints and opens them again; at rest they are encrypted with SECRET_KEY. */
export const makeWebhookSecrets = Effect.gen(function* () {
  const { encrypt, decrypt, randomBytes } = yield* Crypto
  const { secretKeys } = yield* Settings

  const draw = (organizationId: OrganizationId, nowMs: number): DrawnSecret => {
    const text = secretText(randomBytes(secretBytesCount))
    const secretId = timeId({ nowMs, randomBytes: randomBytes(idRandomBytes) })
    const context = secretContext({ organizationId, secretId })
    const sealed = encrypt({ secret: secretKeys[0], context, text })
    return { text, sealed: { secretId, createdAtMs: nowMs, expiresAtMs: null, sealed } }
  }

  /** The texts that sign now, newest first; one that no SECRET_KEY opens is left out. */
  const open = ({ organizationId, secrets }: Endpoint, nowMs: number): ReadonlyArray<string> =>
    liveSecrets(secrets, nowMs).flatMap(({ secretId, sealed }) => {
      const context = secretContext({ organizationId, secretId })
      return decrypt({ secrets: secretKeys, context, sealed }) ?? []
    })

  return { draw, open } as const
})
