import { shortenText } from "../text/shortenText.ts"
import type { PolicyVersion } from "./Policy.ts"

/** At most this many requirements are listed for a code; the policy itself has them all. */
export const documentationMax = 20
/** A requirement is cut after the last word before this. */
export const requirementCharactersMax = 600

/** What the policies ask to have on file, in their words, in the order of the policies. */
export const documentationOf = (policies: ReadonlyArray<PolicyVersion>): ReadonlyArray<string> => {
  const texts = policies.flatMap((policy) =>
    policy.criteria
      .filter((block) => block.section === "documentation")
      .map((block) => shortenText(block.text.replaceAll(/\s+/g, " ").trim(), requirementCharactersMax))
  )
  return [...new Set(texts)].filter((text) => text !== "").slice(0, documentationMax)
}
