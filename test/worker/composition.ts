import * as Layer from "effect/Layer"
import * as Acknowledgements from "../../adapters/memory/Acknowledgements.ts"
import * as Audit from "../../adapters/memory/Audit.ts"
import * as Attempts from "../../adapters/memory/Attempts.ts"
import * as Books from "../../adapters/memory/Books.ts"
import * as Deliveries from "../../adapters/memory/Deliveries.ts"
import * as Endpoints from "../../adapters/memory/Endpoints.ts"
import * as Idempotency from "../../adapters/memory/Idempotency.ts"
import * as Jobs from "../../adapters/memory/Jobs.ts"
import * as Keys from "../../adapters/memory/Keys.ts"
import * as Ledger from "../../adapters/memory/Ledger.ts"
import * as Limits from "../../adapters/memory/Limits.ts"
import * as Organizations from "../../adapters/memory/Organizations.ts"
import * as Outbox from "../../adapters/memory/Outbox.ts"
import * as Records from "../../adapters/memory/Records.ts"
import * as Releases from "../../adapters/memory/Releases.ts"
import * as Reviews from "../../adapters/memory/Reviews.ts"
import * as Transactions from "../../adapters/memory/Transactions.ts"
import * as Sandbox from "../../apps/sandbox/SandboxLibrary.ts"
import { healthy, pretended, settings } from "../http/settings.ts"
import { memoryLibrary } from "../kit/oracle.ts"

const stores = Layer.mergeAll(
  Keys.layer,
  Organizations.layer,
  Ledger.layer,
  Idempotency.layer,
  Transactions.layer,
  Releases.layer,
  Acknowledgements.layer,
  Audit.layer,
  Endpoints.layer,
  Deliveries.layer,
  Attempts.layer,
  Limits.layer
).pipe(
  Layer.provideMerge(Jobs.layer),
  Layer.provide(Layer.mergeAll(Books.layer, Records.layer, Outbox.layer))
)

/** The whole service over ports in memory: what a runtime of one's own would compose of other adapters. */
export const composition = Layer.mergeAll(Sandbox.layer, healthy, pretended).pipe(
  Layer.provideMerge(Reviews.layer),
  Layer.provideMerge(memoryLibrary),
  Layer.provideMerge(stores),
  Layer.provideMerge(settings)
)
