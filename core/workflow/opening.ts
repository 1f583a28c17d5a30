import * as Effect from "effect/Effect"
import type { IsoTime } from "../coverage/date.ts"
import { idRandomBytes, timeId } from "../operation/timeId.ts"
import { Crypto } from "../port/Crypto.ts"
import { Settings } from "../port/Settings.ts"
import type { Envelope } from "./reply.ts"

export const isoTimeOf = (nowMs: number): IsoTime => new Date(nowMs).toISOString() as IsoTime

/** Opens the envelope of every answer, refused or not: its request id and its time (contract §1). */
export const makeOpening = Effect.gen(function* () {
  const { randomBytes } = yield* Crypto
  const publication = yield* Settings
  // Many calls begin in one millisecond: its text is written once.
  let last = { ms: Number.NaN, text: "" as IsoTime }
  return (nowMs: number): Envelope => {
    if (last.ms !== nowMs) last = { ms: nowMs, text: isoTimeOf(nowMs) }
    const requestId = `req_${timeId({ nowMs, randomBytes: randomBytes(idRandomBytes) })}`
    return { requestId, now: last.text, publication, headers: { "x-request-id": requestId } }
  }
})
