import { joinWords } from "../error/fieldName.ts"
import { identifiersIn } from "./detect.ts"
import { kinds as kindTable } from "./kinds.ts"
import type { Kind } from "./kinds.ts"

/** Why a name is not stored: it contains what looks like a patient identifier (phi.md). */
export interface IdentifyingName {
  readonly code: "patient_identifier"
  readonly kinds: ReadonlyArray<Kind>
}

/** Returns why a name of an organization, a key or an app must not be stored, or undefined if it may be. */
export const identifyingName = (name: string): IdentifyingName | undefined => {
  const kinds = identifiersIn(name, { bareDigits: "identifying" })
  return kinds.length === 0 ? undefined : { code: "patient_identifier", kinds }
}

/** Returns the kinds of identifier in a URL or another id, in which bare digits are expected. */
export const kindsInId = (id: string): ReadonlyArray<Kind> => identifiersIn(id, { bareDigits: "expected" })

/** Returns the sentence for the person who entered the text. It names the kinds and never the text. */
export const identifierSays = (kinds: ReadonlyArray<Kind>): string => {
  const found = joinWords(
    kinds.map((kind) => kindTable[kind]),
    "and"
  )
  return `This looks like it contains a patient identifier (${found}). Leave it out.`
}
