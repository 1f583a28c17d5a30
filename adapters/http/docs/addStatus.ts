import * as Effect from "effect/Effect"
import type * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { makeWatch } from "../../../core/job/watchDependencies.ts"
import type { Text } from "./Content.ts"
import { statusPath } from "./navigation.ts"
import { statusJson } from "./statusJson.ts"
import { statusPage } from "./statusPage.ts"

/**
 * How the service is, for people and for programs. Both answer 200 however it is: that is what they are for.
 * No store is asked, so they answer while every store is unavailable.
 */
export const addStatus = (router: HttpRouter.HttpRouter) =>
  Effect.gen(function* () {
    const now = yield* makeWatch
    yield* router.add(
      "GET",
      statusPath,
      Effect.map(now, (status) => sent(statusPage(status)))
    )
    yield* router.add(
      "GET",
      `${statusPath}.json`,
      Effect.map(now, (status) => sent(statusJson(status)))
    )
  })

const sent = ({ body, contentType, headers }: Text) =>
  HttpServerResponse.text(body, {
    contentType,
    headers: { ...headers, "cache-control": "no-store", "x-content-type-options": "nosniff" }
  })
