/** One row of the pack table (§8.1, contract §1 "Limits and money"). Money in tenths of a US cent. */
export interface Pack {
  readonly title: string
  readonly requestsPerMinute: number
  readonly requestsPerDay: number
  readonly concurrentCalls: number
  readonly monthlyAllowance: number
  readonly monthlyPriceMills: number
  /** Null: the pack stops at zero. */
  readonly overagePriceMills: number | null
  readonly webhooks: boolean
}

export const packNames = ["credits", "build", "scale"] as const
export type PackName = (typeof packNames)[number]

export const packs: Readonly<Record<PackName, Pack>> = {
  credits: {
    title: "Credits",
    requestsPerMinute: 60,
    requestsPerDay: 5_000,
    concurrentCalls: 60,
    monthlyAllowance: 0,
    monthlyPriceMills: 0,
    overagePriceMills: null,
    webhooks: false
  },
  build: {
    title: "Build",
    requestsPerMinute: 300,
    requestsPerDay: 50_000,
    concurrentCalls: 300,
    monthlyAllowance: 100_000,
    monthlyPriceMills: 200_000,
    overagePriceMills: 2,
    webhooks: false
  },
  scale: {
    title: "Scale",
    requestsPerMinute: 1_000,
    requestsPerDay: 250_000,
    concurrentCalls: 1_000,
    monthlyAllowance: 1_000_000,
    monthlyPriceMills: 1_000_000,
    overagePriceMills: 2,
    webhooks: true
  }
}

/** What every new organization starts with (§1). */
export const starterCredits = 100
/** $20 buys 1,000 credits (contract §1). */
export const purchase = { credits: 1_000, priceMills: 20_000 } as const
/** An owner's cap on a month's overage is at most a billion credits: beyond it there is none. */
export const overageCapMax = 1_000_000_000
/** The sandbox's limits for each test key (§8.1.4, contract §1). */
export const sandboxLimits = { perMinute: 60, perDay: null, concurrent: 60 } as const
/** The test keys that one address may be given (contract §3, Sandbox). */
export const testKeyLimits = { perMinute: 60, perDay: null, concurrent: 60 } as const
