import * as Effect from "effect/Effect"
import { registerHooks } from "node:module"
import { parentPort } from "node:worker_threads"

/** A request and its answer as they cross to the worker and back. */
export interface WorkerRequest {
  readonly id: number
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}
export interface WorkerResponse {
  readonly id: number
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
/** Told once the service answers: a live key with the read scope, and what was loaded that must not be. */
export interface Ready {
  readonly key: string
  readonly loaded: ReadonlyArray<string>
}

/** What stands for Node's own server; a fetch handler has no need of any of it. */
const forbidden = /^(node:http2?|node:net|@effect\/platform-node)(\/|$)/
const loaded: Array<string> = []
registerHooks({
  resolve: (specifier, context, next) => {
    if (forbidden.test(specifier)) loaded.push(specifier)
    return next(specifier, context)
  }
})

const { composition } = await import("./composition.ts")
const { customer } = await import("../http/customers.ts")
const { makeFetchHandler } = await import("../../adapters/http/fetch/handler.ts")

const serving = Effect.gen(function* () {
  const handler = yield* makeFetchHandler({ addressOf: () => "192.0.2.1" })
  const { key } = yield* customer()
  yield* Effect.sync(() => {
    parentPort?.on("message", ({ id, method, path, headers, body }: WorkerRequest) => {
      const request = new Request(`https://api.coverage.example${path}`, { method, headers, body })
      void handler(request).then(async (response) => {
        const answered: WorkerResponse = {
          id,
          status: response.status,
          headers: Object.fromEntries(response.headers),
          body: await response.text()
        }
        parentPort?.postMessage(answered)
      })
    })
    parentPort?.postMessage({ key, loaded } satisfies Ready)
  })
  return yield* Effect.never
})

await Effect.runPromise(Effect.scoped(Effect.provide(serving, composition)))
