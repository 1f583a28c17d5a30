/** Someone who pays for care and publishes policies (contract §2, GET /payers). `medicare` always exists. */
export interface Payer {
  readonly code: string
  readonly name: string
  readonly type: string
  readonly linesOfBusiness: ReadonlyArray<string>
}

/** Traditional Medicare, the payer of NCDs, LCDs and Articles. */
export const medicare: Payer = {
  code: "medicare",
  name: "Medicare",
  type: "federal",
  linesOfBusiness: ["traditional_medicare"]
}

const medicareNames: ReadonlySet<string> = new Set([
  "medicare",
  "traditional medicare",
  "original medicare",
  "medicare ffs",
  "medicare fee for service",
  "medicare part a",
  "medicare part b",
  "medicare parts a and b",
  "cms"
])

/** Whether the text names traditional Medicare, in any usual writing. */
export const isMedicare = (text: string): boolean =>
  medicareNames.has(
    text
      .trim()
      .toLowerCase()
      .replaceAll(/[_\s-]+/g, " ")
  )
