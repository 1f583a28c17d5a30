import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layer as claimEdits } from "../../adapters/memory/ClaimEdits.ts"
import { layer as codes } from "../../adapters/memory/Codes.ts"
import { layer as library, Library } from "../../adapters/memory/Library.ts"
import { layer as ncdCodes } from "../../adapters/memory/NcdCodes.ts"
import { layer as payers } from "../../adapters/memory/Payers.ts"
import { layer as policies } from "../../adapters/memory/Policies.ts"
import { layer as priorAuthLists } from "../../adapters/memory/PriorAuthLists.ts"
import { layer as snapshots } from "../../adapters/memory/Snapshots.ts"
import type { PolicyDocument } from "../../core/coverage/Policy.ts"
import { Policies } from "../../core/port/Policies.ts"
import { ClaimEdits } from "../../core/port/ClaimEdits.ts"
import { Codes } from "../../core/port/Codes.ts"
import { Payers } from "../../core/port/Payers.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import { save } from "./library.ts"
import { layer as nodeCrypto } from "../../adapters/node/Crypto.ts"

/** The library's ports in the process, over one empty library. */
export const memoryLibrary = Layer.mergeAll(
  policies,
  codes,
  snapshots,
  payers,
  claimEdits,
  priorAuthLists,
  ncdCodes
).pipe(Layer.provideMerge(library), Layer.provide(nodeCrypto))

/** A memory library of its own that holds the documents, for a law to compare a store with. */
export const memoryLibraryOf = (documents: ReadonlyArray<PolicyDocument>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const built = yield* Layer.build(Layer.fresh(memoryLibrary))
      yield* Effect.provide(save(...documents), built)
      return {
        policies: Context.get(built, Policies),
        codes: Context.get(built, Codes),
        snapshots: Context.get(built, Snapshots),
        changes: Context.get(built, Policies),
        claimEdits: Context.get(built, ClaimEdits),
        payers: Context.get(built, Payers),
        library: Context.get(built, Library)
      }
    })
  )
