import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { EndpointKey } from "../../core/port/Endpoints.ts"
import { Endpoints, EndpointsUnavailable } from "../../core/port/Endpoints.ts"
import { Jobs } from "../../core/port/Jobs.ts"
import { endpointsMax } from "../../core/webhook/Endpoint.ts"
import type { Endpoint } from "../../core/webhook/Endpoint.ts"
import { statusRows } from "../../core/webhook/transitions.ts"
import { Outbox, setEntry } from "./Outbox.ts"

/** Endpoints in the process. */
export const layer = Layer.effect(
  Endpoints,
  Effect.gen(function* () {
    const { endpoints, last } = yield* Outbox
    const { offer } = yield* Jobs
    const shown = ({ organizationId, endpointId }: EndpointKey): Endpoint | undefined => {
      const found = endpoints.get(endpointId)
      return found?.organizationId === organizationId && statusRows[found.status].shown ? found : undefined
    }
    const list = (organizationId: Endpoint["organizationId"]): ReadonlyArray<Endpoint> =>
      [...endpoints.values()].filter(({ endpointId }) => shown({ organizationId, endpointId }) !== undefined)
    const resuming = Effect.fnUntraced(function* (endpointId: number) {
      const atMs = yield* Clock.currentTimeMillis
      yield* offer([{ job: { _tag: "Resume", endpointId, atMs }, delayMs: 0 }])
    })
    return Endpoints.of({
      create: (endpoint) =>
        Effect.suspend((): Effect.Effect<Endpoint | "full"> => {
          if (list(endpoint.organizationId).length >= endpointsMax) return Effect.succeed("full")
          const endpointId = ++last.endpointId
          return setEntry(endpoints, endpointId, { ...endpoint, endpointId })
        }),
      list: (organizationId) => Effect.sync(() => list(organizationId)),
      find: (place) => Effect.sync(() => shown(place)),
      change: (place, move) =>
        Effect.suspend(() => {
          const found = shown(place)
          if (found === undefined) return Effect.undefined
          const { endpoint, deliveries } = move(found)
          if (endpoint === found) return Effect.succeed(found)
          const kept = setEntry(endpoints, endpoint.endpointId, endpoint)
          return deliveries === "resume" ? Effect.tap(kept, resuming(endpoint.endpointId)) : kept
        }).pipe(Effect.mapError(({ fault }) => new EndpointsUnavailable({ fault })))
    })
  })
)
