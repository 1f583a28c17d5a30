import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect } from "vitest"
import { layer as memoryAddresses } from "../../adapters/memory/Addresses.ts"
import { layer as guarded } from "../../adapters/webhook/Receiver.ts"
import { layerOf as sandboxed } from "../../apps/sandbox/SandboxReceiver.ts"
import { Receiver } from "../../core/port/Receiver.ts"
import { SandboxReceiver } from "../../core/port/SandboxReceiver.ts"
import { publicTargets } from "../../core/webhook/target.ts"

const url = "https://hooks.customer.com:8443/"
const request = { url, headers: {}, body: "{}", deadlineMs: 5_000 }

/** The verdict at creation, the outcome at delivery, and how often the name was looked up. */
const seenWith = (ports: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    let lookUps = 0
    const addresses = memoryAddresses(() => {
      lookUps += 1
      return { _tag: "Unresolved" }
    })
    const outcomes = yield* Effect.flatMap(Receiver, ({ judge, post }) =>
      Effect.all([judge(url), post(request)])
    ).pipe(Effect.provide(Layer.provide(guarded({ ...publicTargets, ports }), addresses)))
    return [...outcomes, lookUps]
  })

const refused = { _tag: "Refused", reason: "port", ports: [443] }
const blocked = { _tag: "Failed", cause: "blocked", status: null }

describe("contract §4 WEBHOOK_PORTS", () => {
  it.live("holds at delivery as at creation", () =>
    Effect.gen(function* () {
      expect(yield* seenWith([443])).toEqual([refused, blocked, 0])
      expect(yield* seenWith([443, 8_443])).toEqual([
        { _tag: "Refused", reason: "unresolved" },
        { _tag: "Failed", cause: "unresolved", status: null },
        2
      ])
    })
  )

  it.live("holds for the receivers of the sandbox too", () =>
    Effect.gen(function* () {
      const seen = (ports: ReadonlyArray<number>) =>
        Effect.flatMap(SandboxReceiver, ({ judge, post }) => Effect.all([judge(url), post(request)])).pipe(
          Effect.provide(sandboxed({ ...publicTargets, ports }))
        )
      expect(yield* seen([443])).toEqual([refused, blocked])
      expect(yield* seen([443, 8_443])).toMatchObject([{ _tag: "Allowed" }, { status: 200 }])
    })
  )
})
