import type { LimitPolicy } from "../limit/policy.ts"
import { addressSubject } from "../limit/subject.ts"

/** What somebody may try again and again, and how often; each row is counted by itself. */
export const attempts = {
  /**
   * Passwords cannot be guessed at this pace, and a person who mistypes theirs notices nothing. From one
   * address nobody can use up an account's attempts, and so keep its owner out.
   */
  sign_in: { perAddress: perMinute(10), perEmail: { ...perMinute(60), perDay: 2_000 } },
  /** Each of these may send a letter, so that a stranger's mailbox is also spared by the day. */
  sign_up: { perAddress: perMinute(10), perEmail: { ...perMinute(5), perDay: 20 } },
  request_reset: { perAddress: perMinute(10), perEmail: { ...perMinute(5), perDay: 20 } },
  /** Tokens are too long to guess; the limit spares the work of hashing a password. */
  reset: { perAddress: perMinute(10), perEmail: null },
  verify: { perAddress: perMinute(10), perEmail: null },
  /** By the address invited: nobody is flooded by whoever has an organization. */
  invite: { perAddress: null, perEmail: { ...perMinute(5), perDay: 20 } }
} as const satisfies Record<
  string,
  { readonly perAddress: LimitPolicy | null; readonly perEmail: LimitPolicy | null }
>
export type AttemptKind = keyof typeof attempts

/** One limit that an attempt must pass. */
export interface AttemptLimit {
  readonly subject: string
  readonly policy: LimitPolicy
}

/**
 * Returns the limits that an attempt must pass, in this order. Email addresses are counted by their hash, so
 * that the limits' store contains none.
 */
export const attemptLimits = (attempt: {
  readonly kind: AttemptKind
  /** Null: it is not counted by address. */
  readonly address: string | null
  /** Null: it names none. */
  readonly emailHash: string | null
}): ReadonlyArray<AttemptLimit> => {
  const { perAddress, perEmail } = attempts[attempt.kind]
  const of = (who: string | null, policy: LimitPolicy | null): ReadonlyArray<AttemptLimit> =>
    who === null || policy === null ? [] : [{ subject: `people:${attempt.kind}:${who}`, policy }]
  return [
    ...of(attempt.address === null ? null : addressSubject(attempt.address), perAddress),
    ...of(attempt.emailHash === null ? null : `email:${attempt.emailHash}`, perEmail)
  ]
}

/** Organizations on the Credits pack that one person may own or have founded. */
export const unpaidOrganizationsMax = 3
/** Invitations of an organization that are open at a time. */
export const openInvitationsMax = 50
export const invitationDays = 7

function perMinute(max: number): LimitPolicy {
  return { perMinute: max, perDay: null, concurrent: max }
}
