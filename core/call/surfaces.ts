import { addressSubject } from "../limit/subject.ts"
import type { LimitPolicy } from "../limit/policy.ts"
import { operationRow } from "../operation/catalogue.ts"
import type { OperationId } from "../operation/catalogue.ts"
import type * as Operation from "../operation/Operation.ts"
import { testKeyLimits } from "../organization/pack.ts"
import type { LimitEntry } from "../port/Limits.ts"
import type { Party } from "./party.ts"
import type { Target } from "./targets.ts"

/** What one surface does otherwise than another: the pipeline is the same for all. */
export interface Surface {
  /** What steps 2 to 4 look for. A token is looked at by the request that brings it (adapters/mcp). */
  readonly credential: "key" | "test key" | "token" | "none"
  /** What step 5 counts; undefined: the call is counted by nobody. */
  readonly limitEntry: (call: Counted) => LimitEntry | undefined
  /** Whether step 10 takes credits. */
  readonly charges: boolean
  /** Whether a request may ask for a refusal (contract §3, Sandbox). */
  readonly faultInjection: boolean
  /** Whose library answers. */
  readonly library: Operation.Surface
}

/** What step 5 looks at. */
interface Counted {
  readonly request: { readonly address: string }
  readonly envelope: { readonly requestId: string }
  readonly party: Pick<Party, "subject" | "limits">
  readonly target: Pick<Target, "cost" | "isPerAddress">
}

/** What the caller's organization, or its test key, uses; what costs nothing is not counted. */
const ofParty: Surface["limitEntry"] = ({ party, target, envelope }) =>
  target.cost === 0
    ? undefined
    : { subject: party.subject, requestId: envelope.requestId, cost: target.cost, policy: party.limits }

/** What one address may ask in a minute. */
const ofAddress =
  (policy: LimitPolicy, prefix = "") =>
  ({ request, envelope }: Counted): LimitEntry => ({
    subject: prefix + addressSubject(request.address),
    requestId: envelope.requestId,
    cost: 1,
    policy
  })

const testKeysOfAddress = ofAddress(testKeyLimits)

/** What one address may show as leaked in a minute. */
const leakedKeyLimits = { perMinute: 60, perDay: null, concurrent: 10 } as const

const uncounted = (): undefined => undefined

/** One row a surface. */
export const surfaces = {
  api: { credential: "key", limitEntry: ofParty, charges: true, faultInjection: false, library: "live" },
  sandbox: {
    credential: "test key",
    limitEntry: ofParty,
    charges: false,
    faultInjection: true,
    library: "sandbox"
  },
  mcp: { credential: "token", limitEntry: ofParty, charges: true, faultInjection: false, library: "live" },
  public: {
    credential: "none",
    limitEntry: uncounted,
    charges: false,
    faultInjection: false,
    library: "live"
  },
  /** The sandbox's operations that take no key; one that makes keys is limited by address. */
  publicSandbox: {
    credential: "none",
    limitEntry: (call) => (call.target.isPerAddress ? testKeysOfAddress(call) : undefined),
    charges: false,
    faultInjection: true,
    library: "live"
  },
  leakedKey: {
    credential: "none",
    limitEntry: ofAddress(leakedKeyLimits, "leaked:"),
    charges: false,
    faultInjection: false,
    library: "live"
  }
} as const satisfies Record<string, Surface>

/** The surface that an operation is asked on. */
export const surfaceOf = (operation: OperationId, on: Operation.Surface): Surface => {
  const isPublic = operationRow(operation).requirement === null
  if (on === "live") return isPublic ? surfaces.public : surfaces.api
  return isPublic ? surfaces.publicSandbox : surfaces.sandbox
}
