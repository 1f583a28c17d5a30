import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Addresses, Resolution } from "../../core/port/Addresses.ts"
import type { TargetVerdict } from "../../core/port/Receiver.ts"
import { isPublicAddress } from "../../core/webhook/address.ts"
import type { FailureCause } from "../../core/webhook/Outcome.ts"
import { judgeAddresses, judgeUrl, loopbackHost } from "../../core/webhook/target.ts"
import type { Target, TargetPolicy, TargetRefusal } from "../../core/webhook/target.ts"
import type { Route } from "./dial.ts"
import { exchange } from "./exchange.ts"
import type { GuardedRequest, ExchangeResult } from "./exchange.ts"

/**
 * The one way out of the service: webhooks, their tests, and whatever else calls a URL that a client chose.
 */
export interface Guard {
  /** Whether the URL may be called now; sends nothing. */
  readonly judge: (url: string) => Effect.Effect<TargetVerdict>
  /** Judges the URL, resolves its name, judges every answer, and dials one of these answers only. */
  readonly exchange: (request: GuardedRequest) => Effect.Effect<ExchangeResult>
}

export const makeGuard = (addresses: Addresses["Service"], policy: TargetPolicy): Guard => {
  const route = routeRequest(addresses, policy)
  return {
    judge: (url) =>
      Effect.map(route(url), (way): TargetVerdict => (way._tag === "Open" ? { _tag: "Allowed" } : way)),
    exchange: (request) =>
      Effect.gen(function* () {
        const startMs = yield* Clock.currentTimeMillis
        const found = yield* Effect.timeoutOption(route(request.url), request.deadlineMs)
        if (Option.isNone(found)) return failed("timeout")
        const way = found.value
        if (way._tag !== "Open") return failed(way._tag === "Refused" ? causeOf(way.reason) : "resolver_down")
        const spentMs = (yield* Clock.currentTimeMillis) - startMs
        return yield* exchange(way.route, {
          ...request,
          deadlineMs: Math.max(0, request.deadlineMs - spentMs)
        })
      })
  }
}

/** What a judged URL comes to: where it may be dialled, or why it may not be called. */
type Way =
  | { readonly _tag: "Open"; readonly route: Route }
  | Exclude<TargetVerdict, { readonly _tag: "Allowed" }>

const routeRequest =
  (addresses: Addresses["Service"], policy: TargetPolicy) =>
  (url: string): Effect.Effect<Way> => {
    const judged = judgeUrl(url, policy)
    if (judged._tag === "Refused") return Effect.succeed(judged)
    const { target } = judged
    if (target.hostIs === "address") {
      const admits = judged._tag === "Loopback" ? isLoopback : isPublicAddress
      return Effect.succeed({ _tag: "Open", route: { target, addresses: [target.host], admits } })
    }
    return Effect.map(addresses.resolve(target.host), (resolution) => publicWay(target, resolution))
  }

const publicWay = (target: Target, resolution: Resolution): Way => {
  if (resolution._tag === "ResolverDown") return resolution
  const addresses = resolution._tag === "Resolved" ? resolution.addresses : []
  const reason = judgeAddresses(addresses)
  if (reason !== undefined) return { _tag: "Refused", reason }
  return { _tag: "Open", route: { target, addresses, admits: isPublicAddress } }
}

const isLoopback = (address: string): boolean => address === loopbackHost

const failed = (cause: FailureCause): ExchangeResult => ({ _tag: "Failed", cause, status: null })

const causeOf = (reason: TargetRefusal): FailureCause => (reason === "unresolved" ? "unresolved" : "blocked")
