import { nearestName } from "./nearestName.ts"
import { fieldName, joinWords } from "./fieldName.ts"
import { refused } from "./Refusal.ts"
import type { Refusal } from "./Refusal.ts"
import type { FieldFault } from "./details.ts"

/**
 * The kinds of fault, each with the code it is refused with when it stands alone (contract §1, Validation),
 * and what is said of a field of which nothing more is known.
 */
const faultKinds = {
  required: { code: "VALIDATION_REQUIRED_FIELD", says: "is required" },
  out_of_range: { code: "VALIDATION_OUT_OF_RANGE", says: "or its length is out of range" },
  invalid_format: { code: "VALIDATION_INVALID_FORMAT", says: "does not have its required format" },
  invalid: { code: "VALIDATION_ERROR", says: "has the wrong type" },
  unknown_field: { code: "VALIDATION_ERROR", says: "is not taken here" }
} as const

export type FaultKind = keyof typeof faultKinds

/** At most this many faults are listed, so that an answer stays small however bad the request. */
const faultsMax = 50

/** A fault of the field at the pointer; `message` is a whole sentence that names it. */
export const fieldFault = (path: string, kind: FaultKind, message?: string): FieldFault => ({
  path,
  code: kind,
  message: message ?? `${fieldName(path)} ${faultKinds[kind].says}.`
})

/** A member that a closed object does not know, with the nearest that it does know and with all of them. */
export const unknownField = (at: string, name: string, members: ReadonlyArray<string>): FieldFault => {
  const path = at + pointerStep(name)
  const nearest = nearestName(name, members)
  const suggestion = nearest === undefined ? "" : ` Did you mean ${fieldName(at + pointerStep(nearest))}?`
  const known = `${fieldName(at)} takes ${joinWords(members, "and")}.`
  return fieldFault(path, "unknown_field", `${fieldName(path)} is not taken here.${suggestion} ${known}`)
}

/**
 * One kind of fault answers with its own code, several kinds with VALIDATION_ERROR. The message is the first
 * fault's, and says how many more there are.
 */
export const refusedFields = (faults: ReadonlyArray<FieldFault>): Refusal => {
  const codes = new Set(faults.map((fault) => kindOf(fault).code))
  const fields = faults.slice(0, faultsMax)
  const [only] = codes
  const code = codes.size === 1 && only !== undefined ? only : "VALIDATION_ERROR"
  const more = faults.length - 1
  const rest = more < 1 ? "" : ` ${more} more ${more === 1 ? "field is" : "fields are"} faulty.`
  return { ...refused(code, { fields }), message: `${fields[0]?.message ?? ""}${rest}` }
}

const kindOf = (fault: FieldFault) =>
  fault.code in faultKinds ? faultKinds[fault.code as FaultKind] : faultKinds.invalid

/** RFC 6901: `~` and `/` in a member's name are escaped. */
export const pointerStep = (step: PropertyKey): string =>
  `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`
