import * as Effect from "effect/Effect"
import type * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Settings } from "../../core/port/Settings.ts"
import { guideHandler } from "./docs/addDocs.ts"
import { sendContinueFirst } from "./expectContinue.ts"
import type { Mount } from "./Mount.ts"
import { qualities } from "../../core/admission/decode.ts"

/** Adds the routes of each mount, with its guide for the people who open one of its addresses. */
export const addMounts = (router: HttpRouter.HttpRouter, mounts: ReadonlyArray<Mount>) =>
  Effect.gen(function* () {
    const { baseUrl, supportUrl } = yield* Settings
    for (const { guide, handle, paths } of mounts) {
      const handler =
        guide === undefined
          ? handle
          : showGuide(guideHandler(guide, { baseUrl, supportUrl, startedMs: 0 }), handle)
      for (const path of paths)
        yield* router.add("*", path, sendContinueFirst(handler), { uninterruptible: true })
    }
  })

type Handle = Mount["handle"]
type Request = Parameters<Handle>[0]

/** Returns a handler that answers browsers with a guide and everything else with `handle`. */
const showGuide =
  (guide: Handle, handle: Handle): Handle =>
  (request) =>
    isBrowser(request)
      ? Effect.map(guide(request), (page) => HttpServerResponse.setHeaders(page, uncached))
      : handle(request)

/** A GET that names `text/html` in Accept and has no credential. Programs send a wildcard or no Accept. */
const isBrowser = ({ headers, method }: Request): boolean =>
  (method === "GET" || method === "HEAD") &&
  headers["authorization"] === undefined &&
  (qualities(headers["accept"] ?? "").get("text/html") ?? 0) > 0

/** The address has another response for programs, so no cache may keep this one. */
const uncached = {
  "cache-control": "private, no-store",
  vary: "Accept, Accept-Encoding, Authorization"
} as const
