import * as Effect from "effect/Effect"
import type { AdapterPayload } from "oidc-provider"
import { isWithinRotationWindow, rotationWindowMs } from "../../core/oauth/rotation.ts"
import type { OAuthRecord, RecordModel, RecordName } from "../../core/port/OAuthRecords.ts"
import { Crypto } from "../../core/port/Crypto.ts"
import { Settings } from "../../core/port/Settings.ts"
import { sealSuccessor } from "./successor.ts"

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
    /** The record that returns the next refresh token to a client that presents this one again. */
    sealNext: (pair: {
      readonly predecessor: string
      readonly successor: string
      readonly grantId: string | null
      readonly atMs: number
    }): OAuthRecord => ({
      ...nameOf("RefreshSuccessor", pair.predecessor),
      grantId: pair.grantId,
      sealed: sealSuccessor(pair),
      expiresAtMs: pair.atMs + rotationWindowMs,
      spentAtMs: null
    }),
    /**
     * Returns the payload, or undefined if no SECRET_KEY opens it. The library ends the grant of a consumed
     * token, so a refresh token within its rotation window is not marked as consumed.
     */
    open: (record: OAuthRecord, nowMs: number): AdapterPayload | undefined => {
      const { sealed, spentAtMs } = record
      const text = decrypt({ secrets: secretKeys, context: contextOf(record), sealed })
      if (text === undefined) return undefined
      const payload = JSON.parse(text) as AdapterPayload
      return spentAtMs === null || isWithinRotationWindow(record, nowMs)
        ? payload
        : { ...payload, consumed: Math.floor(spentAtMs / 1_000) }
    }
  } as const
})

const contextOf = ({ hash, model }: RecordName): string => `oauth ${model} ${hash}`
