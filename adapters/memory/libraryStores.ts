import * as Layer from "effect/Layer"
import * as ClaimEdits from "./ClaimEdits.ts"
import * as Codes from "./Codes.ts"
import * as Library from "./Library.ts"
import * as NcdCodes from "./NcdCodes.ts"
import * as Payers from "./Payers.ts"
import * as Policies from "./Policies.ts"
import * as PriorAuthLists from "./PriorAuthLists.ts"
import * as Snapshots from "./Snapshots.ts"

/** All that is imported, in the process and over one memory, which is empty. */
export const libraryStores = Layer.mergeAll(
  Policies.layer,
  Codes.layer,
  Snapshots.layer,
  Payers.layer,
  ClaimEdits.layer,
  PriorAuthLists.layer,
  NcdCodes.layer
).pipe(Layer.provideMerge(Library.layer))
