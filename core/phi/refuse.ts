import { errorRow, refused } from "../error/Refusal.ts"
import type { Refusal } from "../error/Refusal.ts"
import { fieldName } from "../error/fieldName.ts"
import { fieldFault, refusedFields } from "../error/fieldFaults.ts"
import { ageMax } from "./fieldNames.ts"
import { scan } from "./scan.ts"
import type { Part } from "./scan.ts"
import { kindsInId } from "./storedText.ts"

/**
 * Refuses input that holds a patient identifier (contract §1, PHI), or that is too large to be looked
 * through. To be asked before the schema: a closed object would answer with the name, an open one would let
 * it in.
 */
export const phiRefusal = (parts: ReadonlyArray<Part>): Refusal | undefined => {
  const scanned = scan(parts)
  if (scanned._tag === "TooLarge")
    return refusedFields([
      fieldFault(scanned.base, "out_of_range", `${fieldName(scanned.base)} ${scanned.says}.`)
    ])
  const { findings } = scanned
  if (findings.length === 0) return undefined
  const ages = findings.filter(({ kind }) => kind === "age").length
  const hint = ages === 0 ? undefined : ages === findings.length ? ageHint : `${usualHint} ${ageHint}`
  return refused("PHI_NOT_ALLOWED", { findings }, hint)
}

/** Refuses an id that a header carries at `path` if it contains a patient identifier (phi.md). */
export const phiRefusalOfId = (path: string, id: string): Refusal | undefined => {
  const findings = kindsInId(id).map((kind) => ({ path, kind }))
  return findings.length === 0 ? undefined : refused("PHI_NOT_ALLOWED", { findings })
}

const ageHint = `For every age above ${ageMax}, use ${ageMax}.`
const usualHint = errorRow("PHI_NOT_ALLOWED").hint
