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
  /** Whether pages of every origin may read the answers; elsewhere those that the key lists (contract §1). */
  readonly reflectsOrigin: boolean
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

/** What most rows have alike. */
const usual = { charges: false, reflectsOrigin: false, faultInjection: false, library: "live" } as const

/** One row a surface. */
export const surfaces = {
  api: { ...usual, credential: "key", limits: "caller", charges: true },
  sandbox: {
    ...usual,
    credential: "test key",
    limits: "caller",
    reflectsOrigin: true,
    faultInjection: true,
    library: "sandbox"
  },
  mcp: { ...usual, credential: "token", limits: "caller", charges: true },
  public: { ...usual, credential: "none", limits: undefined },
  /** The sandbox's operations that take no key; one that makes keys is limited by address. */
  publicSandbox: {
    ...usual,
    credential: "none",
    limits: { prefix: "", policy: testKeyLimits },
    reflectsOrigin: true,
    faultInjection: true
  },
  leakedKey: { ...usual, credential: "none", limits: { prefix: "leaked:", policy: leakedKeyLimits } }
} as const satisfies Record<string, Surface>
