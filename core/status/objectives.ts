/**
 * What the service aims for (docs/objectives.md): the figures that its status, the guide and the alert rules
 * share, which a test holds together. Whoever runs it sets their own here.
 */
export const objectives = {
  /** The share of calls in a calendar month that are answered with something else than 5xx. */
  answeredShare: 0.999,
  /** A look-up of one code, from the request's head to the answer, seconds. */
  lookUpSeconds: { p95: 0.1, p99: 0.25 },
  /** A webhook's first attempt after its event, seconds, and the share of time in which that holds. */
  firstAttemptSeconds: 10,
  firstAttemptShare: 0.99,
  /** A revoked key is refused by every process, seconds. */
  revocationSeconds: 1
} as const
