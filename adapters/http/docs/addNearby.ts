import * as Effect from "effect/Effect"
import type * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { briefly } from "./Content.ts"
import { navigation } from "./navigation.ts"

/**
 * What is asked for beside the pages: a page with a slash at its end, which leads to the page; and the icon
 * that browsers ask for unbidden, of which there is none.
 */
export const addNearby = (router: HttpRouter.HttpRouter) =>
  Effect.gen(function* () {
    yield* Effect.forEach(
      navigation,
      ({ path }) => router.add("GET", `${path}/`, ({ url }) => Effect.succeed(leading(path + queryOf(url)))),
      { discard: true }
    )
    yield* router.add("GET", "/favicon.ico", HttpServerResponse.empty({ status: 204, headers: briefly }))
  })

/** As it was written, with its question mark; empty where there is none. */
const queryOf = (url: string): string => /\?.*/.exec(url)?.[0] ?? ""

const leading = (location: string) =>
  HttpServerResponse.empty({ status: 308, headers: { ...briefly, "content-length": "0", location } })
