import * as Effect from "effect/Effect"
import type { Configuration } from "oidc-provider"
import { Documents } from "../../core/port/Documents.ts"

/** A document that takes longer is no use to somebody who waits for a page. */
const documentMs = 5_000

/** The library's only way out: a GET through the guard, as the `fetch` that it expects. */
export const makeFetch = Effect.gen(function* () {
  const { get } = yield* Documents
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const fetching: NonNullable<Configuration["fetch"]> = async (url) => {
    const fetched = await run(get({ url: String(url), deadlineMs: documentMs }))
    if (fetched._tag === "Refused") throw new Error("the document was not fetched")
    const type = fetched.headers["content-type"] ?? ""
    if (!/^application\/([a-z0-9.-]+\+)?json\s*(;|$)/i.test(type)) throw new Error("the document is not JSON")
    const { "cache-control": cacheControl } = fetched.headers
    return new Response(fetched.text, {
      status: fetched.status,
      headers: cacheControl === undefined ? {} : { "cache-control": cacheControl }
    })
  }
  return fetching
})
