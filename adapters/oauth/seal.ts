import * as Effect from "effect/Effect"
import type { AdapterPayload } from "oidc-provider"
import type { OAuthRecord, RecordModel, RecordName } from "../../core/port/OAuthRecords.ts"
import { Crypto } from "../../core/port/Crypto.ts"
import { Settings } from "../../core/port/Settings.ts"

/** How the library's payloads become records and come back: hashed by name, encrypted with SECRET_KEY. */
export const makeSeal = Effect.gen(function* () {
  const { decrypt, encrypt, sha256Hex } = yield* Crypto
  const { secretKeys } = yield* Settings
  const nameOf = (model: RecordModel, id: string): RecordName => ({ model, hash: sha256Hex(id) })
  return {
    nameOf,
    seal: (kept: {
      readonly model: RecordModel
      readonly id: string
      readonly payload: AdapterPayload
    }): OAuthRecord => {
      const name = nameOf(kept.model, kept.id)
      const text = JSON.stringify(kept.payload)
      return {
        ...name,
        // A request for consent outlives no grant: it comes before one.
        grantId: kept.model === "Interaction" ? null : (kept.payload.grantId ?? null),
        sealed: encrypt({ secret: secretKeys[0], context: contextOf(name), text }),
        expiresAtMs: (kept.payload.exp ?? 0) * 1_000,
        spentAtMs: null
      }
    },
    /** Undefined: no SECRET_KEY opens it any more. */
    open: (record: OAuthRecord): AdapterPayload | undefined => {
      const { sealed, spentAtMs } = record
      const text = decrypt({ secrets: secretKeys, context: contextOf(record), sealed })
      if (text === undefined) return undefined
      const payload = JSON.parse(text) as AdapterPayload
      return spentAtMs === null ? payload : { ...payload, consumed: Math.floor(spentAtMs / 1_000) }
    }
  } as const
})

const contextOf = ({ hash, model }: RecordName): string => `oauth ${model} ${hash}`
