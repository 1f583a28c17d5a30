/**
 * What a modifier of a claim announces to the payer (coverage-domain §2.1, rule 12). `denial`: the submitter
 * expects the claim to be denied; `statement`: it states something that is no issue by itself.
 */
interface ModifierRow {
  readonly announces: "denial" | "statement"
  readonly means: string
}

const rows: Readonly<Record<string, ModifierRow>> = {
  GA: {
    announces: "statement",
    means: "a waiver of liability is on file, since a denial as not reasonable and necessary is expected"
  },
  GX: {
    announces: "denial",
    means: "a notice of liability was issued voluntarily, since Medicare does not cover the service"
  },
  GY: {
    announces: "denial",
    means: "the service is excluded by statute or is no Medicare benefit, so Medicare will deny it"
  },
  GZ: {
    announces: "denial",
    means: "a denial as not reasonable and necessary is expected, and no waiver of liability is on file"
  },
  KX: {
    announces: "statement",
    means: "the submitter states that the requirements of the medical policy are met"
  }
}

/** What the modifiers of a claim say: denials that they announce are issues, the rest are notes. */
export interface ModifierAdvice {
  readonly issues: ReadonlyArray<string>
  readonly notes: ReadonlyArray<string>
}

/** Reads canonical modifiers; those without a row announce nothing. */
export const adviseModifiers = (modifiers: ReadonlyArray<string>): ModifierAdvice => {
  const found = [...new Set(modifiers)].toSorted().flatMap((modifier) => {
    const row = rows[modifier]
    return row === undefined ? [] : [{ ...row, sentence: `Modifier ${modifier}: ${row.means}.`, modifier }]
  })
  return {
    issues: found
      .filter((one) => one.announces === "denial")
      .map((one) => `modifier_${one.modifier.toLowerCase()}: ${one.sentence}`),
    notes: found.filter((one) => one.announces === "statement").map((one) => one.sentence)
  }
}
