import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import { expect, it } from "vitest"
import * as LocalLimits from "../../adapters/memory/Limits.ts"
import * as Http from "../../adapters/http/server.ts"
import type { Mount } from "../../adapters/http/Mount.ts"
import * as Sandbox from "../../apps/sandbox/SandboxLibrary.ts"
import { healthy, settings } from "./harness.ts"
import { memoryReceivers } from "./settings.ts"
import { inMemory } from "./stores.ts"

const saying = (path: `/${string}`, response: HttpServerResponse.HttpServerResponse): Mount => ({
  paths: [path],
  handle: () => Effect.succeed(response)
})

const serving = Http.layer({ host: "127.0.0.1", port: 0, trustedProxies: [], graceMs: 0 }, () =>
  Effect.succeed([
    saying("/slow", HttpServerResponse.text("slow down", { status: 429, headers: { "retry-after": "7" } })),
    saying("/away", HttpServerResponse.empty({ status: 503 })),
    saying("/broken", HttpServerResponse.empty({ status: 500 }))
  ])
).pipe(
  Layer.provideMerge(
    Sandbox.layer.pipe(
      Layer.provideMerge(Layer.mergeAll(inMemory, healthy, LocalLimits.layer, memoryReceivers)),
      Layer.provideMerge(settings)
    )
  )
)

it("what a mounted surface says goes out as it is; a bare status becomes the envelope of its code", () =>
  Effect.gen(function* () {
    const { address } = yield* HttpServer.HttpServer
    const url = "port" in address ? `http://127.0.0.1:${address.port}` : ""
    const got = (path: string) =>
      Effect.promise(async () => {
        const response = await fetch(url + path)
        return [response.status, response.headers.get("retry-after"), await response.text()] as const
      })
    expect(yield* got("/slow")).toEqual([429, "7", "slow down"])
    const codeOf = (text: string): string => JSON.parse(text).error.code
    const [away, , awayText] = yield* got("/away")
    expect([away, codeOf(awayText)]).toEqual([503, "SERVER_UNAVAILABLE"])
    const [broken, , brokenText] = yield* got("/broken")
    expect([broken, codeOf(brokenText)]).toEqual([500, "SERVER_INTERNAL_ERROR"])
  }).pipe(Effect.scoped, Effect.provide(Layer.fresh(serving)), Effect.runPromise))
