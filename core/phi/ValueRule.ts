import type { Kind } from "./kinds.ts"
import type { Sign } from "./signs.ts"

/** A rule for the values of fields; its pattern reads normalised text. */
export interface ValueRule {
  readonly kind: Kind
  /** A text without this holds nothing of the kind. */
  readonly needs: Sign
  /**
   * Global. Every repetition in it is bounded, so that a match begun anywhere costs no more than a constant,
   * and no text, however hostile, costs more than its length.
   */
  readonly pattern: RegExp
  /** Bare digits: not looked for where the catalogue says code, id, date, number or cursor. */
  readonly bare?: true
  /** What a pattern cannot say. */
  readonly accepts?: (found: RegExpExecArray) => boolean
}
