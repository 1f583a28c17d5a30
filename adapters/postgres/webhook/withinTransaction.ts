import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { JobsUnavailable } from "../../../core/port/Jobs.ts"
import type { StoreFault } from "../../../core/error/StoreFault.ts"
import { atomically, unavailable } from "../Database.ts"

/** Runs what writes rows and offers jobs as one transaction, or as part of the write around it. */
export const withinTransaction =
  <Unavailable extends { readonly fault: StoreFault }>(
    sql: SqlClient.SqlClient,
    make: (fault: StoreFault) => Unavailable
  ) =>
  <A>(effect: Effect.Effect<A, SqlError | JobsUnavailable>): Effect.Effect<A, Unavailable> =>
    unavailable(make)(atomically(effect)).pipe(
      Effect.provideService(SqlClient.SqlClient, sql),
      Effect.mapError(({ fault }) => make(fault))
    )
