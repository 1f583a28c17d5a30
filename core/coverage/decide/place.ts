import { medicare } from "../Payer.ts"
import type { Place } from "../place.ts"
import type { PolicyDocument } from "../Policy.ts"
import { jurisdictionsOf } from "../view.ts"

/**
 * Whether a document applies to a place (coverage-domain §2.1, step 3): national ones everywhere, local ones
 * in the jurisdictions of their contractors and in their states. WPS's national number 05901 counts for
 * nothing (trap 3); `jurisdictionsOf` leaves it out, and `states` never held it. Without a place everything
 * may apply.
 */
export const applies = (document: PolicyDocument, place: Place | null): boolean =>
  place === null ||
  isEverywhere(document) ||
  document.states.some((state) => place.states.includes(state)) ||
  (place.jurisdictions.length > 0 &&
    jurisdictionsOf(document).some((code) => place.jurisdictions.includes(code)))

/** A payer that names no states for its policy means all of them. */
export const isEverywhere = (document: PolicyDocument): boolean =>
  document.national ||
  (document.policy.payerCode !== medicare.code &&
    document.states.length === 0 &&
    document.contractors.length === 0)
