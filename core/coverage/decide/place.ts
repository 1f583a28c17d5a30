import { medicare } from "../Payer.ts"
import type { Place } from "../place.ts"
import type { TraceStep } from "../CoverageDecision.ts"
import type { PolicyDocument, PolicyVersion } from "../Policy.ts"
import { jurisdictionsOf } from "../view.ts"
import { stepOf, unique } from "./Verdict.ts"

/**
 * Whether a document applies to a place (coverage-domain §2.1, rule 3): national ones everywhere, local ones
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

/** A local document of Medicare's that names no contractor applies nowhere that anybody can say. */
export const hasContractor = ({ contractors, national, policy }: PolicyDocument): boolean =>
  national || contractors.length > 0 || policy.payerCode !== medicare.code

/** Why such a document decides nothing (rule 3). */
export const unknownJurisdictionStep = (policy: PolicyVersion): TraceStep =>
  stepOf(policy, {
    rule: "policy.no_contractor",
    result: "The document names no contractor and decides nothing: where it applies is not known."
  })

/** The jurisdictions of documents that serve the place, sorted: no other is ever named. */
export const jurisdictionsServingPlace = (
  documents: ReadonlyArray<PolicyDocument>,
  place: Place | null
): ReadonlyArray<string> => {
  const codes = unique(documents.flatMap(jurisdictionsOf))
  const serving = place === null || place.states.length === 0 ? undefined : place.serving
  return serving === undefined ? codes : codes.filter((code) => serving.includes(code))
}

/** Whose documents decide: those of the equipment contractor, of the one for Parts A and B, or either's. */
export type ContractorKind = "dme" | "a_b"

/** The kinds of contractor that issued the documents and serve the place, or any where none does. */
export const kindsOf = (
  documents: ReadonlyArray<PolicyDocument>,
  place: Place | null
): ReadonlySet<ContractorKind> => {
  const serving = jurisdictionsServingPlace(documents, place)
  const codes = serving.length > 0 ? serving : documents.flatMap(jurisdictionsOf)
  return new Set(codes.map((code) => (code.startsWith("DME ") ? "dme" : "a_b")))
}

/**
 * The kinds of contractor that may decide a procedure (rule 3): equipment and supplies go to the equipment
 * contractor, drugs of the J and Q codes to it at home and to Parts A and B elsewhere, and all else to Parts
 * A and B. Both: the site that would tell was not given.
 */
export const decidingKinds = (code: string, site: string | null): ReadonlyArray<ContractorKind> => {
  if (/^(?:A[4-9]\d{3}|[BEKL]\d{4})$/.test(code)) return ["dme"]
  if (!/^[JQ]\d{4}$/.test(code)) return ["a_b"]
  return site === null ? ["a_b", "dme"] : site === "home" ? ["dme"] : ["a_b"]
}
