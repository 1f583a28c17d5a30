import type { PolicyId } from "../Policy.ts"
import { ncdId } from "../policyId.ts"

/** A national determination and the procedures that it is known to be about. */
interface CuratedNcd {
  readonly policyId: PolicyId
  readonly codes: ReadonlyArray<string>
  /** Why we are sure of it. */
  readonly basis: string
}

const laboratory =
  "The code list of CMS's laboratory NCD coding policy manual for this section (42 CFR 410.32)."

/**
 * NCDs reach procedures by this list, since MCD gives them no codes (coverage-domain §2.1, step 4): the
 * laboratory NCDs, whose manual publishes the codes, and those whose own text or implementing instruction
 * names one. Whatever is not certain is not here.
 */
const curatedNcds: ReadonlyArray<CuratedNcd> = [
  { policyId: ncdId("190.12"), codes: ["87086", "87088", "87184", "87186"], basis: laboratory },
  { policyId: ncdId("190.13"), codes: ["87536", "87539"], basis: laboratory },
  {
    policyId: ncdId("190.14"),
    codes: ["86689", "86701", "86702", "86703", "87390", "87391", "87534", "87535", "87537", "87538"],
    basis: laboratory
  },
  {
    policyId: ncdId("190.15"),
    codes: [
      "85004",
      "85007",
      "85008",
      "85013",
      "85014",
      "85018",
      "85025",
      "85027",
      "85032",
      "85048",
      "85049"
    ],
    basis: laboratory
  },
  { policyId: ncdId("190.16"), codes: ["85730"], basis: laboratory },
  { policyId: ncdId("190.17"), codes: ["85610"], basis: laboratory },
  { policyId: ncdId("190.18"), codes: ["82728", "83540", "83550", "84466"], basis: laboratory },
  { policyId: ncdId("190.19"), codes: ["82523"], basis: laboratory },
  { policyId: ncdId("190.20"), codes: ["82947", "82948", "82962"], basis: laboratory },
  { policyId: ncdId("190.21"), codes: ["82985", "83036"], basis: laboratory },
  { policyId: ncdId("190.22"), codes: ["84436", "84439", "84443", "84479"], basis: laboratory },
  {
    policyId: ncdId("190.23"),
    codes: ["80061", "82465", "83700", "83701", "83704", "83718", "83721", "84478"],
    basis: laboratory
  },
  { policyId: ncdId("190.24"), codes: ["80162"], basis: laboratory },
  { policyId: ncdId("190.25"), codes: ["82105"], basis: laboratory },
  { policyId: ncdId("190.26"), codes: ["82378"], basis: laboratory },
  { policyId: ncdId("190.27"), codes: ["84702"], basis: laboratory },
  { policyId: ncdId("190.28"), codes: ["86304"], basis: laboratory },
  { policyId: ncdId("190.29"), codes: ["86300"], basis: laboratory },
  { policyId: ncdId("190.30"), codes: ["86301"], basis: laboratory },
  { policyId: ncdId("190.31"), codes: ["84153"], basis: laboratory },
  { policyId: ncdId("190.32"), codes: ["82977"], basis: laboratory },
  { policyId: ncdId("190.33"), codes: ["80074"], basis: laboratory },
  { policyId: ncdId("190.34"), codes: ["82272"], basis: laboratory },
  {
    policyId: ncdId("160.23"),
    codes: ["G0255"],
    basis: "The determination's own history establishes the code for this test and refuses it."
  },
  {
    policyId: ncdId("280.6"),
    codes: ["E0652"],
    basis: "The determination's text says when a device of this code is covered."
  },
  {
    policyId: ncdId("270.3"),
    codes: ["G0460", "G0465"],
    basis: "The determination's history names the codes of its implementing instructions."
  },
  {
    policyId: ncdId("30.3.3"),
    codes: ["97810", "97811", "97813", "97814", "20560", "20561"],
    basis: "The codes of the implementing instruction for acupuncture for chronic low back pain (CR 11755)."
  },
  {
    policyId: ncdId("210.14"),
    codes: ["71271", "G0296"],
    basis: "The codes of the implementing instruction for lung cancer screening (CR 12691)."
  }
]

export const curatedCovers = (policyId: PolicyId, code: string): boolean =>
  byCode.get(code)?.includes(policyId) ?? false

const byCode: ReadonlyMap<string, ReadonlyArray<PolicyId>> = new Map(
  [
    ...Map.groupBy(
      curatedNcds.flatMap(({ policyId, codes }) => codes.map((code) => ({ code, policyId }))),
      ({ code }) => code
    )
  ].map(([code, rows]) => [code, rows.map(({ policyId }) => policyId)])
)
