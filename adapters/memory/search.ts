import { canonicalCode } from "../../core/coverage/codeText.ts"
import type { PolicyDocument, PolicyVersion } from "../../core/coverage/Policy.ts"
import { parsePolicyId } from "../../core/coverage/policyId.ts"
import type { VersionOnDate } from "../../core/coverage/reading.ts"
import type { EveryWord, SearchMatch, SearchTerm, SearchWords } from "../../core/coverage/search.ts"
import { commonMin, singular, subjectShare, wordsIn } from "../../core/coverage/search.ts"
import { correctSpelling, nearestWord } from "../../core/coverage/spelling.ts"
import { wordsOf } from "../../core/coverage/suggest.ts"
import { policyCodes, searchTextOf, summaryOf } from "../../core/coverage/view.ts"
import type { PolicyQuery } from "../../core/port/Policies.ts"
import type { Library } from "./Library.ts"

type Words = ReadonlySet<string>
type Readings = ReadonlyArray<VersionOnDate<PolicyVersion>>

export interface PolicyMatch {
  readonly reading: VersionOnDate<PolicyVersion>
  readonly relevance: number
  readonly match: SearchMatch | null
}

/** The admitted policies that the text finds, as the port's second law says; without a text all of them. */
export const foundBy = (
  library: typeof Library.Service,
  query: PolicyQuery,
  admitted: Readings
): { readonly found: ReadonlyArray<PolicyMatch>; readonly didYouMean: string | null } => {
  const { text, words } = query
  if (text === null || text.trim() === "") {
    return { found: admitted.map((reading) => ({ reading, relevance: 0, match: null })), didYouMean: null }
  }
  const documents = admitted.map((reading) => ({ reading, words: placesOf(library, reading.version) }))
  const whole = documents.flatMap(({ reading, words: places }) => {
    const relevance = wholly(text, words, reading.version, places)
    return relevance === undefined ? [] : [{ reading, relevance, match: "all" as const }]
  })
  const held = [...library.policies.values()].flat().map((version) => placesOf(library, version).everywhere)
  const corrections = whole.length > 0 ? new Map<string, string>() : correctionsOf(library, words, held)
  const near = [...corrections.values()].map((word): SearchTerm => [[word]])
  const isCommon = (term: SearchTerm) => held.filter((each) => holds(each, term)).length >= commonMin
  const excluded = words.excluded.map((word): SearchTerm => [[word]])
  const rest = documents.filter(
    ({ reading, words: { everywhere } }) =>
      !whole.some((each) => each.reading === reading) && !holdsAny(everywhere, excluded)
  )
  const partly = (match: SearchMatch, terms: ReadonlyArray<SearchTerm>, before: ReadonlyArray<PolicyMatch>) =>
    rest
      .filter(({ reading }) => !before.some((each) => each.reading === reading))
      .flatMap(({ reading, words: { everywhere } }): ReadonlyArray<PolicyMatch> => {
        if (!holdsAny(everywhere, terms)) return []
        const count = [...words.some, ...near].filter((term) => holds(everywhere, term)).length
        return [{ reading, relevance: (match === "some" ? 2 : 1) + count / (count + 1), match }]
      })
  /** Common words find only where nothing did. */
  const parts = (["some", "near"] as const).reduce<ReadonlyArray<PolicyMatch>>((before, match) => {
    const terms = match === "some" ? words.some : near
    const telling = partly(
      match,
      terms.filter((term) => !isCommon(term)),
      before
    )
    return [...before, ...(before.length + telling.length > 0 ? telling : partly(match, terms, before))]
  }, whole)
  return { found: parts, didYouMean: corrections.size === 0 ? null : correctSpelling(text, corrections) }
}

/** Whether the words hold every term and none that is excluded; nothing is found by no term. */
export const holdsAll = (words: Words, { all, excluded }: EveryWord): boolean =>
  all.length + excluded.length > 0 &&
  all.every((term) => holds(words, term)) &&
  !excluded.some((word) => words.has(singular(word)))

/** The words that the text holds: a plural is its singular, other forms are words of their own. */
export const singulars = (text: string): Words => new Set(wordsIn(text).map(singular))

const holds = (words: Words, term: SearchTerm): boolean =>
  term.some((wording) => wording.every((word) => words.has(singular(word))))

const holdsAny = (words: Words, terms: ReadonlyArray<SearchTerm>): boolean =>
  terms.some((term) => holds(words, term))

interface Places {
  readonly title: Words
  readonly heading: Words
  readonly text: Words
  readonly everywhere: Words
}

const placesOf = (library: typeof Library.Service, document: PolicyDocument): Places => {
  const { body, keywords, title } = searchTextOf(document)
  const { subject, words } = codeWords(library, document)
  const text = `${title} ${keywords} ${summaryOf(document) ?? ""} ${body}`
  return {
    title: singulars(title),
    heading: singulars(`${title} ${keywords} ${subject}`),
    text: singulars(text),
    everywhere: singulars(`${text} ${words}`)
  }
}

/** The words of the codes' descriptions, and those that most of the described procedures share. */
const codeWords = (library: typeof Library.Service, document: PolicyDocument) => {
  const codes = policyCodes(document).map(({ code, codeSystem }) => {
    const known = library.codes.get(code)?.get(codeSystem)?.at(-1)?.description ?? ""
    const said = library.descriptions.get(`${codeSystem} ${code}`)?.description ?? ""
    return { codeSystem, words: new Set(wordsOf(`${said} ${known}`)) }
  })
  const procedures = codes.filter(({ codeSystem, words }) => codeSystem === "HCPCS" && words.size > 0)
  const mentions = (word: string) => procedures.filter(({ words }) => words.has(word)).length
  const words = [...new Set(codes.flatMap((code) => [...code.words]))]
  const subject = words.filter((word) => mentions(word) >= Math.max(1, subjectShare * procedures.length))
  return { words: words.join(" "), subject: subject.join(" ") }
}

/** Undefined: the policy does not hold all that the text asks for. */
const wholly = (
  text: string,
  words: SearchWords,
  document: PolicyDocument,
  places: Places
): number | undefined => {
  if (document.policy.policyId === parsePolicyId(text)) return 9
  if (policyCodes(document).some(({ code }) => code === canonicalCode(text))) return 8
  if (words.all.length + words.excluded.length === 0) {
    return beginsOrHolds(document, text.trim().toLowerCase()) ? 4 : undefined
  }
  if (!holdsAll(places.text, words) && !holdsAll(places.everywhere, words)) return undefined
  if (holdsAll(places.title, words)) return 7
  if (holdsAll(places.heading, words)) return 6
  return holdsAll(places.text, words) ? 5 : 4
}

const beginsOrHolds = (document: PolicyDocument, text: string): boolean =>
  document.policy.policyId.toLowerCase().startsWith(text) || document.title.toLowerCase().includes(text)

/** The words that no version holds, each with the word of a title or a code's description nearest to it. */
const correctionsOf = (
  library: typeof Library.Service,
  { some }: SearchWords,
  held: ReadonlyArray<Words>
): ReadonlyMap<string, string> => {
  const versions = [...library.policies.values()].flat()
  const unknown = some.flatMap(([own, ...meanings]) =>
    meanings.length === 0 && own?.length === 1 ? own : []
  )
  if (unknown.length === 0) return new Map()
  const descriptions = [...library.codes.values()].flatMap((systems) =>
    [...systems.values()].map((editions) => editions.at(-1)?.description ?? "")
  )
  const said = [...library.descriptions.values()].map(({ description }) => description)
  const known = new Set([...versions.map(({ title }) => title), ...descriptions, ...said].flatMap(letters))
  return new Map(
    unknown
      .filter((word) => !held.some((words) => words.has(singular(word))))
      .flatMap((word) => {
        const nearest = nearestWord(word, known)
        return nearest === undefined ? [] : [[word, nearest] as const]
      })
  )
}

const letters = (text: string): ReadonlyArray<string> => text.toLowerCase().split(/[^\p{L}]+/u)
