import * as Layer from "effect/Layer"
import { layer as claimEdits } from "../../adapters/postgres/ClaimEdits.ts"
import { layer as codes } from "../../adapters/postgres/Codes.ts"
import { layer as ncdCodes } from "../../adapters/postgres/NcdCodes.ts"
import { layer as payers } from "../../adapters/postgres/Payers.ts"
import { layer as policies } from "../../adapters/postgres/Policies.ts"
import { layer as priorAuthLists } from "../../adapters/postgres/PriorAuthLists.ts"
import { layer as snapshots } from "../../adapters/postgres/Snapshots.ts"
import { layer as nodeCrypto } from "../../adapters/node/Crypto.ts"
import { memoryLibrary } from "./oracle.ts"
import { postgresLayer } from "./postgres.ts"

/** The library's ports over whatever PostgreSQL clients are given. */
export const postgresPorts = Layer.mergeAll(
  policies,
  codes,
  snapshots,
  payers,
  claimEdits,
  priorAuthLists,
  ncdCodes
).pipe(Layer.provide(nodeCrypto))

/** Every adapter of the library's ports, each over an empty library. */
export const libraries = [
  ["memory", Layer.fresh(memoryLibrary)],
  ["PostgreSQL", Layer.fresh(postgresPorts.pipe(Layer.provide(postgresLayer)))]
] as const
