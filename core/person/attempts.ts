import type { LimitPolicy } from "../limit/policy.ts"

/**
 * How often a person may try what needs no session; each row counts by itself. `perOrigin` counts the
 * attempts of one address network, or of the known devices of one account (knownDevice.ts). `perMailbox`
 * counts those of one origin for one email. No limit counts the attempts of all origins for one email: a
 * stranger could then keep its owner out. Emails to one mailbox are spaced instead (`emailsOf`).
 */
export const attempts = {
  /** Too slow to guess a password; fast enough for a person who mistypes theirs. */
  sign_in: { perOrigin: perMinute(10), perMailbox: { ...perMinute(10), perDay: 200 } },
  /** Each of these may send an email, so a stranger's mailbox is also spared by the day. */
  sign_up: { perOrigin: perMinute(10), perMailbox: { ...perMinute(5), perDay: 20 } },
  request_reset: { perOrigin: perMinute(10), perMailbox: { ...perMinute(5), perDay: 20 } },
  /** Tokens are too long to guess; the limit spares the work of hashing a password. */
  reset: { perOrigin: perMinute(10), perMailbox: null },
  verify: { perOrigin: perMinute(10), perMailbox: null },
  /** The origin is the inviting person. */
  invite: { perOrigin: null, perMailbox: { ...perMinute(2), perDay: 5 } }
} as const satisfies Record<
  string,
  { readonly perOrigin: LimitPolicy | null; readonly perMailbox: LimitPolicy | null }
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
  /** A network, the known devices of an account, or a person. */
  readonly origin: string
  /** Null: the attempt names no email. */
  readonly emailHash: string | null
}): ReadonlyArray<AttemptLimit> => {
  const { perMailbox, perOrigin } = attempts[attempt.kind]
  const subject = `people:${attempt.kind}:${attempt.origin}`
  return [
    ...(perOrigin === null ? [] : [{ subject, policy: perOrigin }]),
    ...(perMailbox === null || attempt.emailHash === null
      ? []
      : [{ subject: `${subject}:email:${attempt.emailHash}`, policy: perMailbox }])
  ]
}

/**
 * Emails to one mailbox that strangers request: one a minute of each kind. A request in between has the same
 * response and sends no email, because the link in the previous one works for the owner of the mailbox.
 */
export const emailsOf = (kind: "sign_up" | "request_reset", emailHash: string): AttemptLimit => ({
  subject: `people:${kind}:emails:${emailHash}`,
  policy: perMinute(1)
})

/** Organizations on the Credits pack that one person may own or have founded. */
export const unpaidOrganizationsMax = 3
/** Invitations of an organization that are open at a time. */
export const openInvitationsMax = 50
export const invitationDays = 7

function perMinute(max: number): LimitPolicy {
  return { perMinute: max, perDay: null, concurrent: max }
}
