import type { GroupTruth } from "./Truth.ts"

/** The editor's paragraph about a group, as articles write it; null where the source writes none. */
export const paragraphOf = (group: GroupTruth): string | null => {
  if (group.stated) return null
  const parts = [firstSentence(group), tail(group)].filter((text) => text !== "")
  if (parts.length > 0) return parts.join(" ")
  return choose([null, `Group ${group.group} Codes`, "N/A", "Please see the codes below."], group)
}

const choose = <A>(from: ReadonlyArray<A>, group: GroupTruth): A => {
  const chosen = from[group.wording % from.length]
  if (chosen === undefined) throw new Error("there is nothing to choose from")
  return chosen
}

/** What the list means and for which codes. */
const firstSentence = (group: GroupTruth): string => {
  const { names } = group
  if (names === null) return isPlain(group) && group.wording % 3 === 0 ? "" : bare(group)
  const codes = codesAsWritten(names, group)
  if (group.reading === "listing" && group.role === "any") return choose(listings(codes)[group.table], group)
  return `For ${codes}: ${bare(group)}`
}

const isPlain = ({ reading, role, table }: GroupTruth): boolean =>
  reading === "listing" && role === "any" && table === "covered"

const listings = (codes: string) => ({
  covered: [
    `For ${codes}:`,
    `The following ICD-10-CM codes support medical necessity and provide coverage for ${codes}.`,
    `The ICD-10-CM codes below are covered for ${codes}:`,
    `${codes[0]?.toUpperCase()}${codes.slice(1)} will be considered for the following diagnoses:`
  ],
  noncovered: [
    `For ${codes}, the following ICD-10-CM codes do not support medical necessity:`,
    `The ICD-10-CM codes below are not covered for ${codes}.`
  ]
})

const bare = (group: GroupTruth): string => {
  if (group.reading === "unreadable") return choose(unreadable, group)
  if (group.reading === "all_except") return choose(exclusions, group)
  if (group.table === "noncovered") return choose(refusals, group)
  switch (group.role) {
    case "primary":
      return choose(primaries, group)
    case "secondary":
      return choose(secondaries, group)
    case "any":
    case "both_required":
      return choose(supports, group)
  }
}

const supports = [
  "The following ICD-10-CM codes support medical necessity:",
  "The ICD-10-CM codes listed below are covered.",
  "ICD-10-CM codes that support medical necessity and provide limited coverage:"
]

const refusals = [
  "The following ICD-10-CM codes do not support medical necessity.",
  "The ICD-10-CM codes listed below are not covered."
]

export const exclusions = [
  "All ICD-10-CM codes are covered except the following:",
  "All diagnosis codes support medical necessity except those listed below.",
  "Any diagnosis other than those listed below supports medical necessity.",
  "The following ICD-10-CM codes are not covered:",
  "The ICD-10-CM codes listed below do not support medical necessity:"
]

/** Both polarities in one paragraph, a denial in other words, or an open list: nothing rests on it. */
const unreadable = [
  "The following ICD-10-CM codes support medical necessity. The ICD-10-CM codes below are not covered.",
  "The codes listed below are covered. The codes listed below do not support medical necessity.",
  "The following ICD-10-CM codes fail to establish medical necessity.",
  "Covered diagnoses include, but are not limited to:",
  "The service is considered investigational for the diagnoses below.",
  "All ICD-10-CM codes are covered in adults, except the following:"
]

const primaries = [
  "The following ICD-10-CM codes must be reported as the primary diagnosis:",
  "The ICD-10-CM codes below support medical necessity when reported as the primary diagnosis."
]

/** The primary group of a pair is always the first. */
export const secondaries = [
  "These codes are secondary and must be reported with a primary diagnosis from Group 1.",
  "The ICD-10-CM codes below are payable only as a secondary diagnosis, with a primary diagnosis from " +
    "Group 1."
]

/** A condition of the group, or what many articles say of every list: no condition of its own. */
const tail = ({ condition, hasRemark }: GroupTruth): string => condition ?? (hasRemark ? remark : "")

const remark =
  "The correct use of an ICD-10-CM code listed below does not assure coverage of a service. The service " +
  "must be reasonable and necessary in the specific case and must meet the criteria specified in the " +
  "related determination."

/** "HCPCS codes E0650 through E0652", "CPT codes X, Y and Z", "CPT/HCPCS code X". */
const codesAsWritten = (names: ReadonlyArray<string>, group: GroupTruth): string => {
  const [first = "", last = ""] = [names[0], names.at(-1)]
  const system = choose(["CPT/HCPCS", /^\d/.test(first) ? "CPT" : "HCPCS", "procedure"], group)
  if (names.length === 1) return `${system} code ${first}`
  const isRange = Number(last.slice(1)) - Number(first.slice(1)) === names.length - 1
  if (isRange && names.length > 2 && group.wording % 2 === 0) {
    return `${system} codes ${first} ${choose(["through", "to", "-"], group)} ${last}`.replace(" - ", "-")
  }
  return `${system} codes ${names.slice(0, -1).join(", ")} and ${last}`
}
