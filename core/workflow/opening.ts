import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { IsoTime } from "../coverage/date.ts"
import { idRandomBytes, timeId } from "../operation/timeId.ts"
import { Crypto } from "../port/Crypto.ts"
import { Settings } from "../port/Settings.ts"
import type { Envelope } from "./reply.ts"

export const isoTimeOf = (nowMs: number): IsoTime => DateTime.formatIso(DateTime.makeUnsafe(nowMs)) as IsoTime

/** Opens the envelope of every answer, refused or not: its request id and its time (contract §1). */
export const makeOpening = Effect.gen(function* () {
  const { randomBytes } = yield* Crypto
  const publication = yield* Settings
  const timeOf = makeTimeOf()
  return (nowMs: number): Envelope => {
    const requestId = `req_${timeId({ nowMs, randomBytes: randomBytes(idRandomBytes) })}`
    return { requestId, now: timeOf(nowMs), publication, headers: { "x-request-id": requestId } }
  }
})

/** `isoTimeOf` for who asks it all the time: many calls begin in one second, which is written once. */
const makeTimeOf = () => {
  let last = { second: Number.NaN, text: "" }
  return (nowMs: number): IsoTime => {
    const second = Math.floor(nowMs / 1_000)
    if (last.second !== second) last = { second, text: isoTimeOf(second * 1_000).slice(0, -"000Z".length) }
    const ms = nowMs - second * 1_000
    return `${last.text}${ms < 100 ? (ms < 10 ? "00" : "0") : ""}${ms}Z` as IsoTime
  }
}
