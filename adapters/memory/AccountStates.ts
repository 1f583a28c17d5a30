import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { KeyHash, KeyId, KeyRecord } from "../../core/key/state.ts"
import type { Account, Entry, Move } from "../../core/organization/Account.ts"
import type { Organization, OrganizationId } from "../../core/organization/Organization.ts"
import type { Charge } from "../../core/port/Ledger.ts"

/** An organization with everything that is kept of its money. */
export interface AccountState {
  organization: Organization
  account: Account
  readonly entries: Array<Entry>
  readonly usage: Array<Charge>
}

/**
 * What the memory adapters of organizations, ledger and keys share. Every verb reads and writes it within one
 * synchronous step, which is all the isolation a single process needs.
 */
export class AccountStates extends Context.Service<
  AccountStates,
  {
    readonly organizations: Map<OrganizationId, AccountState>
    readonly keys: Map<KeyHash, KeyRecord>
    readonly hashes: Map<KeyId, KeyHash>
    /** How calls ended that did not end as their usage row was written, by request id. */
    readonly endings: Map<string, number>
  }
>()("coverage/adapters/memory/AccountStates") {}

export const layer = Layer.sync(AccountStates, () => ({
  organizations: new Map(),
  keys: new Map(),
  hashes: new Map(),
  endings: new Map()
}))

/** Writes a kernel's move down. */
export const keep = (state: AccountState, move: Move): void => {
  state.account = move.account
  state.entries.push(...move.entries)
}
