import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SearchTerm, SearchWords } from "../../../core/coverage/search.ts"
import { commonMin, rarity } from "../../../core/coverage/search.ts"
import { nearestWord } from "../../../core/coverage/spelling.ts"
import type { ListingCore } from "../../../core/port/listing.ts"
import type { PolicyQuery } from "../../../core/port/Policies.ts"
import { filterSpans, standingOn } from "./filterSpans.ts"
import { unmeant } from "./searchAll.ts"
import { bands, pageBeyond, union } from "./searchStage.ts"
import type { Fragment, Texts } from "./textQuery.ts"
import { allOf, anyOf, holds, inText } from "./textQuery.ts"

/**
 * What a list of what holds only some words was begun with, and keeps to its end while others are written:
 * how much each term tells (0: it is common; -1: nothing holds it), and which unknown words were corrected.
 */
export interface Trail {
  readonly weights: ReadonlyArray<number>
  readonly near: ReadonlyArray<readonly [word: string, correction: string]>
  readonly nearWeights: ReadonlyArray<number>
}

const TrailText = Schema.fromJsonString(
  Schema.Struct({
    weights: Schema.Array(Schema.Number),
    near: Schema.Array(Schema.Tuple([Schema.String, Schema.String])),
    nearWeights: Schema.Array(Schema.Number)
  })
)
export const readTrail: (text: string) => Trail = Schema.decodeSync(TrailText)
export const trailText: (trail: Trail) => string = Schema.encodeSync(TrailText)

/** Words are corrected only where no policy holds all of them, else each is known. */
export const trailOf = Effect.fnUntraced(function* (sql: SqlClient, words: SearchWords, isNone: boolean) {
  if (words.some.length < 2 && !isNone) return { weights: [], near: [], nearWeights: [] }
  const weights = yield* weightsOf(sql, words.some)
  const unknown = words.some.flatMap(([own, ...meanings], index) =>
    weights[index] === -1 && meanings.length === 0 && own?.length === 1 ? own : []
  )
  const near = isNone ? yield* correctionsOf(sql, unknown) : []
  const nearWeights = yield* weightsOf(sql, near.map(corrections))
  return { weights, near, nearWeights }
})

/**
 * The parts of the list after what holds all the words, in their order; `whole` are all of those, where
 * they are known. A broad part, of common words, is only for a list that is empty before it:
 * what they would add to a rarer word's finds nobody looks for.
 */
export const partlyStages = (
  sql: SqlClient,
  query: PolicyQuery & { readonly text: string },
  given: { readonly trail: Trail; readonly whole: ReadonlyArray<ListingCore> | null }
): ReadonlyArray<Stage> => {
  const { near, nearWeights, weights } = given.trail
  const known = weighted(query.words.some, weights)
  const similar = weighted(near.map(corrections), nearWeights)
  const whole =
    given.whole === null ? findPartly(sql, allOf({ ...query.words, excluded: [] })) : named(sql, given.whole)
  const before = [whole, findPartly(sql, textsOf(known))]
  const parts: ReadonlyArray<Part> = [
    { band: bands.some, of: known.filter(isRare), beside: similar.filter(isRare), without: [whole] },
    { band: bands.someBroad, of: known.filter(isCommon), without: [whole] },
    { band: bands.near, of: similar.filter(isRare), without: before },
    { band: bands.nearBroad, of: similar.filter(isCommon), without: before }
  ]
  return parts
    .filter((part) => part.of.length > 0)
    .map((part) => ({
      band: part.band,
      isBroad: part.of.every(isCommon),
      found: (rowsMax) => partly(sql, query, { ...part, rowsMax })
    }))
}

interface Stage {
  readonly band: number
  readonly isBroad: boolean
  readonly found: (rowsMax: number) => Fragment
}

interface Part {
  readonly band: number
  /** What holds any of these. */
  readonly of: ReadonlyArray<Weighted>
  /** These raise a score and find nothing. */
  readonly beside?: ReadonlyArray<Weighted>
  /** What stands earlier in the list. */
  readonly without: ReadonlyArray<Fragment>
}

interface Weighted {
  readonly term: SearchTerm
  readonly weight: number
}

const weighted = (
  terms: ReadonlyArray<SearchTerm>,
  weights: ReadonlyArray<number>
): ReadonlyArray<Weighted> =>
  weights.flatMap((weight, index) => {
    const term = terms[index]
    return term === undefined || weight < 0 ? [] : [{ term, weight }]
  })

const isRare = ({ weight }: Weighted): boolean => weight > 0
const isCommon = ({ weight }: Weighted): boolean => weight === 0
const textsOf = (terms: ReadonlyArray<Weighted>, excluded: ReadonlyArray<string> = []): Texts =>
  anyOf(
    terms.map(({ term }) => term),
    excluded
  )
const corrections = ([, correction]: readonly [string, string]): SearchTerm => [[correction]]

/**
 * What holds any of the words, scored by how many it holds, how rare they are and where it has them; of
 * common words only where.
 */
const partly = (
  sql: SqlClient,
  query: PolicyQuery & { readonly text: string },
  part: Part & { readonly rowsMax: number }
) => {
  const { beside = [], of, without } = part
  const { excluded } = query.words
  const scored = (each: ReadonlyArray<Weighted>, weight: number, finds: boolean) =>
    sql`select policy_id, version, ${weight}::int4 * ${inPlace(sql, textsOf(each))} as score, ${finds}::boolean as finds
      from policy_version where ${holds(sql, textsOf(each, excluded))}`
  const held = of.every(isCommon)
    ? [scored(of, 1, true)]
    : [
        ...of.map((each) => scored([each], each.weight, true)),
        ...beside.map((each) => scored([each], each.weight, false))
      ]
  return sql`with before as materialized (${union(sql, without)}), held as materialized (
      select policy_id, version, sum(score)::int4 as score from (${union(sql, held)}) each
      where (policy_id, version) not in (select policy_id, version from before)
      group by policy_id, version having bool_or(finds))
    ${pageBeyond(sql, query, {
      ...part,
      found: sql`select s.policy_id, s.version, s.status, k.score, 0 as matches
        from held k ${standingOn(sql, query.asOf)}
        where s.version = k.version and ${filterSpans(sql, query)} and ${unmeant(sql, query)}`
    })}`
}

const named = (sql: SqlClient, versions: ReadonlyArray<ListingCore>) =>
  sql`select policy_id, version from unnest(${versions.map(({ policy }) => policy.policyId)}::text[],
    ${versions.map(({ version }) => version)}::int4[]) as given (policy_id, version)`

const findPartly = (sql: SqlClient, texts: Texts) =>
  sql`select policy_id, version from policy_version where ${holds(sql, texts)}`

const inPlace = (sql: SqlClient, texts: Texts) =>
  sql`(case when ts_filter(heading, '{a}') @@ ${inText(sql, texts)} then 4
    when heading @@ ${inText(sql, texts)} then 2 else 1 end)`

/** In how many versions each term is, as the kernel weighs it. */
const weightsOf = (sql: SqlClient, terms: ReadonlyArray<SearchTerm>) => {
  if (terms.length === 0) return Effect.succeed([])
  const counts = terms.map(
    (term) => sql`(select count(*)::int4 from (select from policy_version
      where ${holds(sql, anyOf([term], []))} limit ${commonMin}) held)`
  )
  return Effect.map(
    sql<{ readonly counts: ReadonlyArray<number> }>`
      select array[${counts.reduce((all, one) => sql`${all}, ${one}`)}] as counts`,
    ([row]) => (row?.counts ?? []).map((count) => (count === 0 ? -1 : rarity(count)))
  )
}

/** The known words nearest to the unknown ones; none where the server cannot tell (docs/operating.md). */
const correctionsOf = Effect.fnUntraced(function* (sql: SqlClient, unknown: ReadonlyArray<string>) {
  if (unknown.length === 0 || !(yield* findsNear(sql))) return []
  const rows = yield* sql<{ readonly asked: string; readonly known: ReadonlyArray<string> }>`
    select asked, array(select word::text from known_word where word % asked
      order by similarity(word, asked) desc, word limit ${candidatesMax}) as known
    from unnest(${unknown}::text[]) asked`
  return rows.flatMap(({ asked, known }) => {
    const word = nearestWord(asked, known)
    return word === undefined ? [] : [[asked, word] as const]
  })
})

/** Whether words spelled nearly so can be found: PostgreSQL has the extension and the index of 0018. */
export const findsNear = (sql: SqlClient) =>
  Effect.map(
    sql<{ readonly found: boolean }>`select to_regclass('known_word_trigrams') is not null as found`,
    ([row]) => row?.found === true
  )

/** The kernel chooses among so many. */
const candidatesMax = 20
