/** A Medicare jurisdiction and the contractor (MAC) that serves it (contract §2, GET /jurisdictions). */
export interface Jurisdiction {
  /** `JH`, `J5`, `DME JA`. */
  readonly jurisdictionCode: string
  readonly jurisdictionName: string
  readonly macName: string
  /** The contractor number, or the numbers joined by `/` where the parts have their own. */
  readonly macCode: string
  /** `A/B MAC`, `A/B/HHH MAC` or `DME MAC`. */
  readonly macType: string
  /** Abbreviations, sorted; sub-states (NF, SF …) are folded into their state. */
  readonly states: ReadonlyArray<string>
  readonly websiteUrl: string | null
}
