import { errorRow } from "../../../core/error/Refusal.ts"
import type { Refusal } from "../../../core/error/Refusal.ts"
import type { Fault } from "../fields.ts"

/** What the API says is wrong with a body, beside the fields of a form with the same names. */
export const refusalFaults = (refusal: Refusal, fields: ReadonlyArray<string>): ReadonlyArray<Fault> => {
  const { details } = refusal
  const listed =
    details !== undefined && "fields" in details ? (details.fields as ReadonlyArray<FormFaults>) : []
  const faults = listed.map(({ message, path }): Fault => {
    const field = path.split("/")[2] ?? ""
    return { field: fields.includes(field) ? field : "", says: message }
  })
  const { hint, message } = errorRow(refusal.code)
  return faults.length > 0 ? faults : [{ field: "", says: `${message} ${refusal.hint ?? hint ?? ""}`.trim() }]
}

interface FormFaults {
  readonly path: string
  readonly message: string
}
