import type { Place } from "../../core/coverage/place.ts"
import type { PolicyDocument } from "../../core/coverage/Policy.ts"
import { jurisdictionsOf } from "../../core/coverage/view.ts"

/** Whether a document applies in the place: national ones everywhere, and no place is everywhere. */
export const isIn = (document: PolicyDocument, place: Place | null): boolean =>
  place === null ||
  document.national ||
  jurisdictionsOf(document).some((code) => place.jurisdictions.includes(code)) ||
  document.states.some((state) => place.states.includes(state))

/** By policy id. */
export const byId = (a: PolicyDocument, b: PolicyDocument): number =>
  a.policy.policyId < b.policy.policyId ? -1 : 1
