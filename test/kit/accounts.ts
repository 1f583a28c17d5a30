import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Books from "../../adapters/memory/AccountStates.ts"
import * as MemoryKeys from "../../adapters/memory/Keys.ts"
import * as MemoryLedger from "../../adapters/memory/Ledger.ts"
import * as MemoryOrganizations from "../../adapters/memory/Organizations.ts"
import type { IsoTime } from "../../core/coverage/date.ts"
import type { Organization, OrganizationId } from "../../core/organization/Organization.ts"
import type { PackName } from "../../core/organization/pack.ts"
import type { Keys } from "../../core/port/Keys.ts"
import type { Charge } from "../../core/port/Ledger.ts"
import type { Ledger } from "../../core/port/Ledger.ts"
import { Organizations } from "../../core/port/Organizations.ts"
import { beganMs } from "./creditHistory.ts"

/** The three ports that share an organization's rows. */
export type Accounts = Ledger | Organizations | Keys

/** The same store through another process's connections: what a law of durability looks through. */
export class Elsewhere extends Context.Service<Elsewhere, Context.Context<Accounts>>()("test/Elsewhere") {}

/** Both ends over one memory; two adapters over one map are as far apart as a single process gets. */
export const memoryAccounts = Layer.suspend(() => {
  const ports = () =>
    Layer.fresh(Layer.mergeAll(MemoryLedger.layer, MemoryOrganizations.layer, MemoryKeys.layer))
  return twice(ports(), ports()).pipe(Layer.provide(Layer.fresh(Books.layer)))
})

/** An organization that was just made. */
export const newAccount = Effect.fnUntraced(function* (input: {
  readonly pack: PackName
  readonly createdMs?: number
}) {
  const organization: Organization = {
    organizationId: freshId("org_") as OrganizationId,
    name: "Example Clinic",
    pack: input.pack,
    nextPack: null,
    suspended: false,
    suspendedReason: null,
    concurrentMax: null,
    ownerEmail: null,
    createdAt: isoTime(input.createdMs ?? beganMs)
  }
  yield* (yield* Organizations).create(organization)
  return organization
})

export const chargeOf = (organizationId: OrganizationId, given: Partial<Charge> = {}): Charge => ({
  organizationId,
  requestId: freshId("req_"),
  cost: 1,
  operation: "codes.lookup",
  caller: "key_00000000000000000000000001",
  source: "api",
  atMs: beganMs,
  ...given
})

export const isoTime = (ms: number): IsoTime => DateTime.formatIso(DateTime.makeUnsafe(ms)) as IsoTime

let counted = 0

/** An id nobody else in this run has, in the shape of the real ones. */
export const freshId = (prefix: string): string => prefix + (counted++).toString(32).padStart(26, "0")

/** The same ports at both ends. */
export const twice = <E, R>(here: Layer.Layer<Accounts, E, R>, there: Layer.Layer<Accounts, E, R>) =>
  Layer.merge(here, Layer.effect(Elsewhere, Effect.context<Accounts>()).pipe(Layer.provide(there)))
