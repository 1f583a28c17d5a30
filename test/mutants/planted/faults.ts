import type { Fault, Group } from "./Fault.ts"
import { accounts } from "./faults/accounts.ts"
import { claims } from "./faults/claims.ts"
import { coverage } from "./faults/coverage.ts"
import { edges } from "./faults/edges.ts"
import { keys } from "./faults/keys.ts"
import { outbound } from "./faults/outbound.ts"
import { path } from "./faults/path.ts"
import { people } from "./faults/people.ts"
import { privacy } from "./faults/privacy.ts"
import { releases } from "./faults/releases.ts"
import { sentences } from "./faults/sentences.ts"
import { stores } from "./faults/stores.ts"
import { writes } from "./faults/writes.ts"

/** All that is planted, and the suites that are to notice it. */
export const groups = {
  accounts,
  claims,
  coverage,
  edges,
  keys,
  outbound,
  path,
  people,
  privacy,
  releases,
  sentences,
  stores,
  writes
} as const satisfies Readonly<Record<string, Group>>

export const faults: ReadonlyArray<Fault> = Object.values(groups).flatMap((group: Group) => group.faults)
