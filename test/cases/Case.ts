import type { CoverageStatus } from "../../core/coverage/CoverageDecision.ts"

/** What a coverage analyst expects of an answer; what is left out is not looked at. */
export interface Expected {
  readonly status?: CoverageStatus
  /** Whether prior authorization is required; null: it cannot be told. */
  readonly priorAuth?: boolean | null
  /** Ids of every policy that bears on it, sorted. */
  readonly policies?: ReadonlyArray<string>
  /** Every input that is missing, sorted. */
  readonly gaps?: ReadonlyArray<string>
  /** The tables that cannot judge the day, sorted; `gaps` leaves them out, for nearly every case has one. */
  readonly editions?: ReadonlyArray<string>
  /** How each issue begins, sorted. */
  readonly issues?: ReadonlyArray<string>
  readonly risk?: "low" | "medium" | "high"
  readonly confidence?: "low" | "medium" | "high"
  readonly review?: boolean
  /** Number of the contractor that answers for the place; null: none does. */
  readonly mac?: string | null
  /** Rules that the trace must name. */
  readonly trace?: ReadonlyArray<string>
  /** The refusal, in place of an answer. */
  readonly refusal?: string
}

/** A question worked by hand, and why its answer is the right one. */
export interface Case {
  readonly says: string
  /** POST /prior-auth/check, or POST /claims/validate. */
  readonly ask: "checkPriorAuth" | "validateClaim"
  readonly body: Readonly<Record<string, unknown>>
  readonly expect: Expected
  /** From the rows of the tables to the answer, as an analyst would write it down. */
  readonly reasoning: string
}

/** The day on which all cases are asked; a question without a date of service is about it. */
export const today = "2026-03-12"
