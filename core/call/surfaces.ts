import type { LimitPolicy } from "../limit/policy.ts"
import type * as Operation from "../operation/Operation.ts"
import { testKeyLimits } from "../organization/pack.ts"

/** What one surface does otherwise than another: the pipeline is the same for all. */
export interface Surface {
  /** What steps 2 to 4 look for. A token is looked at by the request that brings it (adapters/mcp). */
  readonly credential: "key" | "test key" | "token" | "none"
  /**
   * Whose limits step 5 uses: the caller's own, or those of the address it calls from where the target is
   * limited by address; undefined: nobody's.
   */
  readonly limits: "caller" | AddressLimits | undefined
  /** Whether step 10 takes credits. */
  readonly charges: boolean
  /** Whether a request may ask for a refusal (contract §3, Sandbox). */
  readonly faultInjection: boolean
  /** Whose library answers. */
  readonly library: Operation.Surface
}

/** What one address may ask in a minute, under a subject of its own. */
interface AddressLimits {
  readonly prefix: string
  readonly policy: LimitPolicy
}

/** What one address may show as leaked in a minute. */
const leakedKeyLimits = { perMinute: 60, perDay: null, concurrent: 10 } as const

/** One row a surface. */
export const surfaces = {
  api: { credential: "key", limits: "caller", charges: true, faultInjection: false, library: "live" },
  sandbox: {
    credential: "test key",
    limits: "caller",
    charges: false,
    faultInjection: true,
    library: "sandbox"
  },
  mcp: { credential: "token", limits: "caller", charges: true, faultInjection: false, library: "live" },
  public: {
    credential: "none",
    limits: undefined,
    charges: false,
    faultInjection: false,
    library: "live"
  },
  /** The sandbox's operations that take no key; one that makes keys is limited by address. */
  publicSandbox: {
    credential: "none",
    limits: { prefix: "", policy: testKeyLimits },
    charges: false,
    faultInjection: true,
    library: "live"
  },
  leakedKey: {
    credential: "none",
    limits: { prefix: "leaked:", policy: leakedKeyLimits },
    charges: false,
    faultInjection: false,
    library: "live"
  }
} as const satisfies Record<string, Surface>
