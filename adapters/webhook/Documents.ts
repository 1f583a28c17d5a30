import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Addresses } from "../../core/port/Addresses.ts"
import type { FetchResult } from "../../core/port/Documents.ts"
import { Documents } from "../../core/port/Documents.ts"
import { publicTargets } from "../../core/webhook/target.ts"
import type { TargetPolicy } from "../../core/webhook/target.ts"
import type { ExchangeResult } from "./exchange.ts"
import { makeGuard } from "./guard.ts"

/** Documents over the guard; `policy` is that of the receivers. */
export const layer = (policy: TargetPolicy = publicTargets): Layer.Layer<Documents, never, Addresses> =>
  Layer.effect(
    Documents,
    Effect.map(Addresses, (addresses) => {
      const guard = makeGuard(addresses, policy)
      return {
        get: ({ url, deadlineMs }) =>
          Effect.map(guard.exchange({ method: "GET", url, headers, body: null, deadlineMs }), fetchedOf)
      }
    })
  )

/** No encoding is asked for, since none is undone here. */
const headers = { accept: "application/json", "accept-encoding": "identity" }

const refused: FetchResult = { _tag: "Refused" }

const fetchedOf = (heard: ExchangeResult): FetchResult => {
  if (heard._tag === "Failed" || heard.isCut) return refused
  if ((heard.headers["content-encoding"] ?? "identity") !== "identity") return refused
  try {
    const text = utf8.decode(heard.body)
    return { _tag: "Fetched", status: heard.status, headers: heard.headers, text }
  } catch {
    return refused
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true })
