import type { LimitPolicy } from "../limit/policy.ts"
import { addressSubject } from "../limit/subject.ts"

/**
 * What an address may do without being known, each counted by itself: rows are written for nobody, and
 * documents are fetched because a stranger named them.
 */
export const oauthLimits = {
  /** Ten at once, for the apps of one office; a hundred a day. */
  registration: { perMinute: 10, perDay: 100, concurrent: 10 },
  authorization: { perMinute: 60, perDay: null, concurrent: 60 },
  metadata: { perMinute: 20, perDay: null, concurrent: 10 }
} as const satisfies Readonly<Record<string, LimitPolicy>>
export type OAuthLimit = keyof typeof oauthLimits

/** Whose limit it is: an address, for one thing. */
export const oauthSubject = (limit: OAuthLimit, address: string): string =>
  `oauth:${limit}:${addressSubject(address)}`
