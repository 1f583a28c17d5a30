import * as Effect from "effect/Effect"
import { embedded } from "../adapters/postgres/embedded.ts"
const t0 = performance.now()
await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
  yield* embedded({ dataDir: process.argv[2]!, role: "server" })
  const up = performance.now() - t0
  yield* Effect.addFinalizer(() => Effect.sync(() => console.log("up ms", Math.round(up), "from process start", Math.round(up + t0))))
})))
console.log("stop took total", Math.round(performance.now()-t0))
