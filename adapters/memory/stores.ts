import * as Layer from "effect/Layer"
import * as Acknowledgements from "./Acknowledgements.ts"
import * as Attempts from "./Attempts.ts"
import * as Audit from "./Audit.ts"
import * as Books from "./AccountStates.ts"
import * as Deliveries from "./Deliveries.ts"
import * as Endpoints from "./Endpoints.ts"
import * as Idempotency from "./Idempotency.ts"
import * as Jobs from "./Jobs.ts"
import * as Keys from "./Keys.ts"
import * as Ledger from "./Ledger.ts"
import * as Limits from "./Limits.ts"
import * as Organizations from "./Organizations.ts"
import * as Outbox from "./Outbox.ts"
import * as Records from "./Records.ts"
import * as Releases from "./Releases.ts"
import * as Transactions from "./Transactions.ts"

/** All that the API writes to, in the process and over one memory: the library comes beside it. */
export const stores = Layer.mergeAll(
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
