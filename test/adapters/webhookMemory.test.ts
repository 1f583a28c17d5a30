import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { layer } from "../../adapters/memory/Receiver.ts"
import type { ReceiverBehavior } from "../../adapters/memory/Receiver.ts"
import { Receiver } from "../../core/port/Receiver.ts"
import type { Outcome } from "../../core/webhook/Outcome.ts"

const well: Outcome = { _tag: "Answered", status: 200, retryAfterMs: null, excerpt: "" }
const url = "https://hooks.customer.com/"
const using = <Value>(
  receiving: ReceiverBehavior,
  use: (receiver: Receiver["Service"]) => Effect.Effect<Value>
) => Effect.provide(Effect.flatMap(Receiver, use), layer(receiving))

describe("contract §3 receivers in the process", () => {
  it.effect("judge by text and address without a look-up, and send nothing where they refuse", () =>
    Effect.gen(function* () {
      const posted: Array<string> = []
      const receiving: ReceiverBehavior = {
        answer: (request) =>
          Effect.sync(() => {
            posted.push(request.url)
            return well
          })
      }
      yield* using(receiving, ({ judge, post }) =>
        Effect.gen(function* () {
          expect(yield* judge(url)).toEqual({ _tag: "Allowed" })
          expect(yield* judge("https://10.0.0.1/")).toEqual({ _tag: "Refused", reason: "address" })
          expect(yield* judge("https://a.test/")).toEqual({ _tag: "Refused", reason: "reserved_name" })
          for (const one of [url, "https://10.0.0.1/", "http://hooks.customer.com/"])
            yield* post({ url: one, headers: {}, body: "", deadlineMs: 1_000 })
        })
      )
      expect(posted).toEqual([url])
    })
  )

  it.live("give up at the deadline whoever does not answer", () =>
    Effect.gen(function* () {
      const outcome = yield* using({ answer: () => Effect.never }, ({ post }) =>
        post({ url, headers: {}, body: "", deadlineMs: 20 })
      )
      expect(outcome).toEqual({ _tag: "Failed", cause: "timeout", status: null })
    })
  )

  it.effect("tell a name as they are told to", () =>
    Effect.gen(function* () {
      const receiving: ReceiverBehavior = {
        answer: () => Effect.succeed(well),
        lookUp: () => ({ _tag: "Refused", reason: "unresolved" })
      }
      const outcome = yield* using(receiving, ({ post }) =>
        post({ url, headers: {}, body: "", deadlineMs: 1_000 })
      )
      expect(outcome).toEqual({ _tag: "Failed", cause: "unresolved", status: null })
    })
  )
})
