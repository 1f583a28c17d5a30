import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import type { Redacted } from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import type { SqlClient } from "effect/sql/SqlClient"
import { replicaInUse } from "../../core/call/meters.ts"
import type { StoreFault } from "../../core/error/StoreFault.ts"
import { ClaimEdits } from "../../core/port/ClaimEdits.ts"
import { Codes } from "../../core/port/Codes.ts"
import type { Crypto } from "../../core/port/Crypto.ts"
import { NcdCodes } from "../../core/port/NcdCodes.ts"
import { Payers } from "../../core/port/Payers.ts"
import { Policies } from "../../core/port/Policies.ts"
import { PriorAuthLists } from "../../core/port/PriorAuthLists.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import * as ClaimEditsStore from "./ClaimEdits.ts"
import * as CodesStore from "./Codes.ts"
import type { DatabaseClients } from "./Database.ts"
import * as Database from "./Database.ts"
import * as NcdCodesStore from "./NcdCodes.ts"
import * as PayersStore from "./Payers.ts"
import * as PoliciesStore from "./Policies.ts"
import * as PriorAuthListsStore from "./PriorAuthLists.ts"
import * as SnapshotsStore from "./Snapshots.ts"

/** How often the replica's version of the library is compared with the primary's, and how fast. */
const compareEvery = "250 millis"
const compareWithin = "1 second"

const stores = Layer.mergeAll(
  PoliciesStore.layer,
  CodesStore.layer,
  PayersStore.layer,
  ClaimEditsStore.layer,
  PriorAuthListsStore.layer,
  NcdCodesStore.layer,
  SnapshotsStore.layer
)

/** The library over the primary alone, or its reads over a replica too. */
export const layer = (
  replica: Redacted | undefined
): Layer.Layer<Library, never, DatabaseClients | Crypto> =>
  replica === undefined ? stores : overBoth(replica)

type Library = Layer.Success<typeof stores>

/**
 * Reads of the library go to the replica while it has replayed the version that the primary has, and to the
 * primary while it lags or does not answer. What says which version an answer is of may be read from the
 * primary meanwhile: then the replica is not asked before a later comparison found it as new, so that no
 * answer is older than the version it names. Writes go to the primary.
 */
const overBoth = (replica: Redacted) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const near = yield* Layer.build(stores)
      const clients = yield* Layer.build(Layer.orDie(Database.layer({ url: replica })))
      const far = yield* Layer.build(Layer.fresh(stores)).pipe(Effect.provideContext(clients))
      const route = yield* makeRoute(yield* Database.Pool, Context.get(clients, Database.Pool))
      const over = <Id extends Library, Port extends object>(
        port: Context.Key<Id, Port>,
        reads: ReadonlyArray<keyof Port>,
        by: Route = route.read
      ) =>
        Context.make(
          port,
          routed(Context.get(near, port as never), Context.get(far, port as never), reads, by)
        )
      return over(Policies, [
        "find",
        "search",
        "history",
        "candidates",
        "criteria",
        "inForce",
        "changes"
      ]).pipe(
        Context.merge(over(Codes, ["find", "suggest", "policies", "tables", "fees", "descriptions"])),
        Context.merge(over(ClaimEdits, ["among"])),
        Context.merge(over(PriorAuthLists, ["among"])),
        Context.merge(over(NcdCodes, ["among"])),
        Context.merge(over(Payers, ["list", "jurisdictions"])),
        Context.merge(over(Snapshots, ["current", "generation"], route.readVersion))
      )
    })
  )

type Failed = { readonly fault?: StoreFault }
type Read = Effect.Effect<unknown, Failed>

/** Asks the replica or the primary. */
type Route = (there: () => Read, here: () => Read) => Read

const makeRoute = Effect.fnUntraced(function* (primary: SqlClient, replica: SqlClient) {
  let comparedMs = Number.NEGATIVE_INFINITY
  let namedMs = Number.NEGATIVE_INFINITY
  let isAsNew = false
  const versionOf = (sql: SqlClient) =>
    Effect.map(sql<{ readonly generation: bigint }>`select generation from library_generation`, ([row]) =>
      Number(row?.generation ?? -1)
    )
  const compare = Effect.gen(function* () {
    const beganMs = performance.now()
    const wanted = yield* versionOf(primary)
    isAsNew = (yield* versionOf(replica)) >= wanted
    comparedMs = beganMs
  }).pipe(
    Effect.timeout(compareWithin),
    Effect.catchCause(() =>
      Effect.sync(() => {
        isAsNew = false
      })
    ),
    Effect.andThen(Effect.suspend(() => Metric.update(replicaInUse, isAsNew ? 1 : 0)))
  )
  yield* compare
  yield* Effect.forkScoped(Effect.repeat(compare, Schedule.spaced(compareEvery)))

  const read: Route = (there, here) =>
    Effect.suspend(() => {
      if (!isAsNew || comparedMs < namedMs) return here()
      return Effect.catch(there(), (error) => {
        // A search that took too long there takes as long here.
        if (error.fault === "timeout") return Effect.fail(error)
        isAsNew = false
        return here()
      })
    })
  const readVersion: Route = (there, here) =>
    read(there, () =>
      Effect.ensuring(
        here(),
        Effect.sync(() => {
          namedMs = performance.now()
        })
      )
    )
  return { read, readVersion }
})

/** A port whose reads are routed, and whose other verbs are the primary's. */
const routed = <Port extends object>(
  near: Port,
  far: Port,
  reads: ReadonlyArray<keyof Port>,
  by: Route
): Port => {
  const verbs = reads.map((name) => {
    const [here, there] = [near[name], far[name]]
    const verb =
      typeof here === "function" && typeof there === "function"
        ? (...asked: ReadonlyArray<unknown>) =>
            by(
              () => there(...asked),
              () => here(...asked)
            )
        : by(
            () => there as Read,
            () => here as Read
          )
    return [name, verb] as const
  })
  return { ...near, ...Object.fromEntries(verbs) }
}
