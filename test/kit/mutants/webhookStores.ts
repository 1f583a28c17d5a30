import * as Effect from "effect/Effect"
import { CommitHooks, UndoLog } from "../../../adapters/memory/change.ts"
import type { Acknowledgements } from "../../../core/port/Acknowledgements.ts"
import type { Deliveries } from "../../../core/port/Deliveries.ts"
import type { Endpoints } from "../../../core/port/Endpoints.ts"

/** A port with one planted mistake, made out of a right one; some law must notice it. */
export interface MutantPort<Port> {
  readonly says: string
  readonly spoil: (right: Port) => Partial<Port>
}

/** Does it outside of the transaction around it. */
export const beside = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provideService(Effect.provideService(effect, UndoLog, undefined), CommitHooks, undefined)

export const endpointsMutants: ReadonlyArray<MutantPort<Endpoints["Service"]>> = [
  {
    says: "counts before it creates, and believes it afterwards",
    spoil: ({ create, list }) => ({
      create: (endpoint) =>
        Effect.gen(function* () {
          const before = yield* list(endpoint.organizationId)
          yield* Effect.yieldNow
          const kept = yield* create(endpoint)
          return before.length < 50 && kept === "full" ? { ...endpoint, endpointId: 1 } : kept
        })
    })
  },
  {
    says: "reads, lets others pass, and writes",
    spoil: ({ change, find }) => ({
      change: (place, move) =>
        Effect.gen(function* () {
          const seen = yield* find(place)
          yield* Effect.yieldNow
          return yield* change(place, (found) => move(seen ?? found))
        })
    })
  },
  {
    says: "changes anybody's endpoint",
    spoil: ({ change, find, list }) => {
      const places = new Map<number, Parameters<typeof find>[0]>()
      return {
        list: (organizationId) =>
          Effect.tap(list(organizationId), (all) =>
            Effect.sync(() => {
              for (const { endpointId } of all) places.set(endpointId, { organizationId, endpointId })
            })
          ),
        change: (place, move) => change(places.get(place.endpointId) ?? place, move)
      }
    }
  },
  {
    says: "says changed and does not",
    spoil: ({ find }) => ({
      change: (place, move) => Effect.map(find(place), (found) => found && move(found).endpoint)
    })
  },
  {
    says: "resumes nothing",
    spoil: ({ change }) => ({
      change: (place, move) => change(place, (found) => ({ ...move(found), deliveries: "none" }))
    })
  },
  {
    says: "resumes at every change",
    spoil: ({ change }) => ({
      change: (place, move) => change(place, (found) => ({ ...move(found), deliveries: "resume" }))
    })
  },
  {
    says: "keeps what was to be undone",
    spoil: ({ create }) => ({ create: (endpoint) => beside(create(endpoint)) })
  },
  {
    says: "remembers what it found",
    spoil: ({ find }) => {
      const known = new Map<number, Effect.Success<ReturnType<typeof find>>>()
      return {
        find: (place) =>
          known.has(place.endpointId)
            ? Effect.succeed(known.get(place.endpointId))
            : Effect.tap(find(place), (found) => Effect.sync(() => known.set(place.endpointId, found)))
      }
    }
  }
]

export const deliveriesMutants: ReadonlyArray<MutantPort<Deliveries["Service"]>> = [
  { says: "publishes nothing", spoil: () => ({ publish: () => Effect.succeed(3) }) },
  {
    says: "publishes twice",
    spoil: ({ publish }) => ({ publish: (input) => Effect.andThen(publish(input), publish(input)) })
  },
  {
    says: "publishes beside the write",
    spoil: ({ publish }) => ({
      publish: (input) => beside(publish(input))
    })
  },
  {
    says: "gives the deliveries of another status too",
    spoil: ({ list }) => ({ list: (query) => list({ ...query, status: null }) })
  },
  {
    says: "says that a page follows the last",
    spoil: ({ list }) => ({
      list: (query) =>
        Effect.map(list(query), (page) => ({ ...page, next: page.deliveries.at(-1)?.deliveryId ?? null }))
    })
  },
  {
    says: "replays nothing",
    spoil: ({ list }) => ({
      replay: ({ deliveryId, ...place }) =>
        Effect.map(
          list({ ...place, status: null, before: deliveryId + 1, limit: 1 }),
          ({ deliveries }) => deliveries[0]
        )
    })
  },
  {
    says: "replays the end of a window",
    spoil: ({ replayWindow }) => ({
      replayWindow: (input) => replayWindow({ ...input, untilMs: input.untilMs + 1 })
    })
  },
  {
    says: "replays no more than the window's first instant",
    spoil: ({ replayWindow }) => ({
      replayWindow: (input) => replayWindow({ ...input, untilMs: input.sinceMs + 1 })
    })
  },
  {
    says: "calls a test that was delivered a failure",
    spoil: ({ record }) => ({ record: (delivery) => record({ ...delivery, status: "failed" }) })
  }
]

export const acknowledgementsMutants: ReadonlyArray<MutantPort<Acknowledgements["Service"]>> = [
  {
    says: "looks before it acknowledges, and believes it afterwards",
    spoil: ({ acknowledge, among }) => ({
      acknowledge: (input) =>
        Effect.gen(function* () {
          const known = yield* among({ ...input, diffIds: input.changes.map(({ diffId }) => diffId) })
          yield* Effect.yieldNow
          const { fresh, earlier } = yield* acknowledge(input)
          const believed = earlier.filter(({ diffId }) => !known.has(diffId))
          return {
            fresh: [...fresh, ...believed],
            earlier: earlier.filter(({ diffId }) => known.has(diffId))
          }
        })
    })
  },
  {
    says: "keeps one list for all organizations",
    spoil: ({ among, acknowledge }) => {
      const shared = "org_shared" as Parameters<typeof among>[0]["organizationId"]
      return {
        among: (input) => among({ ...input, organizationId: shared }),
        acknowledge: (input) => acknowledge({ ...input, organizationId: shared })
      }
    }
  },
  {
    says: "loses the notes",
    spoil: ({ acknowledge }) => ({ acknowledge: (input) => acknowledge({ ...input, notes: null }) })
  },
  {
    says: "answers by diff id",
    spoil: ({ acknowledge }) => ({
      acknowledge: (input) =>
        acknowledge({ ...input, changes: input.changes.toSorted((one, other) => one.diffId - other.diffId) })
    })
  },
  {
    says: "acknowledges beside the write",
    spoil: ({ acknowledge }) => ({ acknowledge: (input) => beside(acknowledge(input)) })
  },
  {
    says: "knows of what it was not asked",
    spoil: ({ among }) => ({
      among: (input) => Effect.map(among({ ...input, diffIds: [...input.diffIds, 6, 1] }), (known) => known)
    })
  },
  { says: "knows of nothing", spoil: () => ({ among: () => Effect.succeed(new Set<number>()) }) }
]
