/** The checks, in the order in which a table shows them. */
export const checkNames = [
  "answer",
  "headers",
  "limits",
  "etag",
  "cursor",
  "idempotency",
  "preflight",
  "method",
  "refusals"
] as const
export type CheckName = (typeof checkNames)[number]

/** What came of one check of one operation on one surface. */
export interface Verdict {
  /** An operation's id; or what concerns none of them alone. */
  readonly operation: string
  readonly surface: "live" | "sandbox" | "any"
  readonly check: CheckName
  /** Of a refusal its code: it is a row of the catalogue's own. */
  readonly code: string | null
  readonly outcome: "pass" | "fail" | "skipped"
  /** Why it failed or was left out; null on a pass. */
  readonly reason: string | null
}

/** Whom a check is about. */
export type Subject = Pick<Verdict, "operation" | "surface">

/** A verdict by what was found wrong: nothing is a pass. */
export const verdictOf = (
  subject: Subject,
  check: CheckName,
  faults: ReadonlyArray<string>,
  code: string | null = null
): Verdict => ({
  ...subject,
  check,
  code,
  outcome: faults.length === 0 ? "pass" : "fail",
  reason: faults.length === 0 ? null : faults.join("; ")
})

export const skippedVerdict = (subject: Subject, check: CheckName, reason: string): Verdict => ({
  ...subject,
  check,
  code: null,
  outcome: "skipped",
  reason
})
