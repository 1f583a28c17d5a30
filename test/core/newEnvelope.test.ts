import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { isoTimeOf } from "../../core/coverage/date.ts"
import { makeNewEnvelope } from "../../core/call/answer.ts"
import { settings } from "../http/settings.ts"

/** Around one second, and anywhere between 1970 and 9999. */
const instants = fc.oneof(
  fc.integer({ min: 1_795_000_000_000, max: 1_795_000_002_000 }),
  fc.integer({ min: 0, max: 253_402_300_799_999 })
)

it("writes every instant as ISO 8601 does, whatever was written before it", async () => {
  const newEnvelope = await Effect.runPromise(Effect.provide(makeNewEnvelope, settings))
  fc.assert(
    fc.property(fc.array(instants, { minLength: 1, maxLength: 20 }), (all) =>
      all.forEach((nowMs) => expect(newEnvelope(nowMs).now).toBe(isoTimeOf(nowMs)))
    ),
    { examples: [[[1_795_000_000_000, 1_795_000_000_001, 1_795_000_000_010, 1_795_000_000_999]]] }
  )
})
