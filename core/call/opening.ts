import * as Effect from "effect/Effect"
import { isoTimeOf } from "../coverage/date.ts"
import type { IsoTime } from "../coverage/date.ts"
import type { Publication } from "../operation/envelope.ts"
import { idRandomBytes, timeId } from "../operation/timeId.ts"
import { Crypto } from "../port/Crypto.ts"
import { Settings } from "../port/Settings.ts"

/** What every answer says of its call, refused or not (contract §1): its id, its instant, and where it is. */
export interface Envelope {
  readonly requestId: string
  readonly now: IsoTime
  readonly publication: Publication
}

/** Opens the envelope of a call that begins at an instant, in Unix ms. */
export const makeOpening = Effect.gen(function* () {
  const { randomBytes } = yield* Crypto
  const publication = yield* Settings
  const timeOf = makeTimeOf()
  return (nowMs: number): Envelope => ({
    requestId: `req_${timeId({ nowMs, randomBytes: randomBytes(idRandomBytes) })}`,
    now: timeOf(nowMs),
    publication
  })
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
