import type { CodeSystem } from "../coverage/Code.ts"
import type {
  CriteriaBlock,
  Disposition,
  Policy,
  PolicyId,
  PolicyStatus,
  PolicyType,
  PolicyVersion,
  SourceShape
} from "../coverage/Policy.ts"
import type { DiagnosisFilter } from "../coverage/diagnosisFilter.ts"
import type { IsoDate, IsoTime } from "../coverage/date.ts"
import type { ChangeType, PolicyChange } from "../coverage/revise.ts"
import type { EveryWord, SearchMatch, SearchWords } from "../coverage/search.ts"
import { StoreFault } from "../error/StoreFault.ts"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export class PoliciesUnavailable extends Schema.TaggedError<PoliciesUnavailable>()("PoliciesUnavailable", {
  fault: StoreFault
}) {}

/** One code of a policy as the wire shows it. */
export interface PolicyCode {
  readonly code: string
  readonly codeSystem: CodeSystem
  readonly disposition: Disposition
  readonly source: "document" | "inferred_title_match"
}

/**
 * The row of a list: everything but the document's bulk, with the first codes and criteria when asked for.
 */
export interface PolicyListing {
  readonly policy: Policy
  readonly version: number
  readonly title: string
  /** The source's own version; null where it names none. */
  readonly documentVersion: string | null
  /** Where it stands on the query's `asOf`. */
  readonly status: PolicyStatus
  readonly jurisdictions: ReadonlyArray<string>
  readonly effectiveDate: IsoDate | null
  readonly retireDate: IsoDate | null
  readonly sourceUrl: string | null
  readonly sourceShape: SourceShape
  readonly sourceShapeReason: string
  readonly summary: string | null
  readonly codeCount: number
  readonly criteriaCount: number
  /** The first 50; empty unless the query includes `codes`. */
  readonly codes: ReadonlyArray<PolicyCode>
  /** The first 20; empty unless the query includes `criteria`. */
  readonly criteria: ReadonlyArray<CriteriaBlock>
  /** How it was found by a text; null without one. */
  readonly match: SearchMatch | null
}

/** What a read of one policy gives: the version in force on the date, or the nearest one where none is. */
export interface PolicyOnDate {
  readonly version: PolicyVersion
  readonly status: PolicyStatus
  /** When the policy's first version was recorded. */
  readonly createdAt: IsoTime
  /** When its newest version was recorded, whichever answers for the date. */
  readonly updatedAt: IsoTime
  /** The newest title of each related policy that is known. */
  readonly relatedTitles: ReadonlyMap<PolicyId, string>
}

export interface PolicyQuery {
  readonly text: string | null
  /** What the text asks for. */
  readonly words: SearchWords
  readonly policyType: PolicyType | null
  /**
   * Local documents of any of these MAC jurisdictions or states; national ones always match. Null: no filter.
   */
  readonly place: {
    readonly jurisdictions: ReadonlyArray<string>
    readonly states: ReadonlyArray<string>
  } | null
  readonly payerCode: string | null
  readonly diagnosis: DiagnosisFilter | null
  readonly procedureCode: string | null
  /** `active` admits every version in force, those of unknown status too. */
  readonly status: "active" | "retired" | "all"
  readonly asOf: IsoDate
  readonly include: ReadonlySet<"summary" | "criteria" | "codes">
  /** Where the previous page ended; the values are the adapter's own and round-trip through the cursor. */
  readonly after: PolicyPosition | null
  readonly limit: number
}

/** Order: relevance descending (0 without text), then policy id. */
export interface PolicyPosition {
  readonly relevance: number
  readonly policyId: string
  /** What the adapter must know again to go on in the same order. */
  readonly trail?: string | undefined
}

export interface PolicyPage {
  readonly listings: ReadonlyArray<PolicyListing>
  /** Position of the last listing when more follow. */
  readonly next: PolicyPosition | null
  /** The text as it was probably meant, where no policy holds all of it and a word of it is unknown. */
  readonly didYouMean: string | null
}

/** One step of a policy's history. */
export interface PolicyRevision {
  readonly oldVersion: number | null
  readonly newVersion: number
  readonly changeType: string
  readonly changeSummary: string
  readonly changedFields: ReadonlyArray<string>
  readonly changedAt: IsoTime
}

/** What may bear on a decision about these codes (coverage-domain §2.1, step 3). */
export interface CandidatesQuery {
  /** Canonical procedure codes, CPT or HCPCS. */
  readonly codes: ReadonlyArray<string>
  readonly asOf: IsoDate
}

/** One passage of a policy in force, found by its words (contract §2, GET /coverage/criteria). */
export interface FoundCriterion {
  readonly policy: Policy
  readonly title: string
  readonly jurisdictions: ReadonlyArray<string>
  readonly effectiveDate: IsoDate | null
  readonly block: CriteriaBlock
}

export interface CriteriaQuery {
  readonly words: EveryWord
  readonly section: CriteriaBlock["section"] | null
  readonly policyType: PolicyType | null
  readonly place: PolicyQuery["place"]
  readonly asOf: IsoDate
  readonly after: CriteriaPosition | null
  readonly limit: number
}

/** Order: relevance descending, then policy id, then the passage's place in its document. */
export interface CriteriaPosition {
  readonly relevance: number
  readonly policyId: string
  readonly ordinal: number
}

export interface CriteriaPage {
  readonly found: ReadonlyArray<FoundCriterion>
  readonly next: CriteriaPosition | null
}

/**
 * The policies as they stand on a date (§2.7, contract §2).
 *
 * 1. `find` answers as the kernel's `readingOn` over every version that was kept; an unknown id is undefined.
 * 2. `search` gives exactly the policies that the filters admit on `asOf`, each once, in keyset order;
 *    following `next` to the end gives every one that existed throughout, while others are written. By a text
 *    it gives those that hold all of its words first (title before keywords before text before the
 *    descriptions of their codes), then those that hold some, then, where a store can, those that hold words
 *    spelled nearly so; a word that many documents hold finds some only where nothing else did.
 *    A procedure code admits what lists it, and the NCDs that the table of NCD codes names for it.
 * 3. `history` gives every version's change, oldest first.
 * 4. A text that is an id or a code finds its document first; no text breaks a search, and one without a word
 *    to look up finds by the letters of ids and titles.
 * 5. `candidates` gives every version that `readingOn`, over all that was kept, has in force on the day, of
 *    the policies that list any of the procedure codes on it, of those in force that these relate and that
 *    those relate in turn (an article leads to its LCD, and the LCD to its NCD), and of the NCDs that a row
 *    of `NcdCodes` leads to from any of the codes; each once, by policy id.
 * 6. `criteria` gives exactly the passages of versions in force on `asOf` that hold every term of the words
 *    and that the filters admit, each once, in keyset order, as for `search`. A text without a word finds
 *    nothing.
 * 7. An unavailable store fails with PoliciesUnavailable; a search, for policies or passages, cut off by its
 *    time limit with fault `timeout`.
 * 8. `inForce` gives every version that `readingOn`, over all that was kept, has in force on the day, each
 *    once, by policy id and `limit` at a time, those after `after`.
 * 9. `changes` gives exactly the changes that the filters admit (GET /policies/changes), newest first (by
 *    diff id), at most `limit`; `next` is the last one's id when more follow. Paging by it gives each that
 *    existed throughout once, while others are written.
 */
export class Policies extends Context.Service<
  Policies,
  {
    readonly find: (query: {
      readonly policyId: PolicyId
      readonly asOf: IsoDate
    }) => Effect.Effect<PolicyOnDate | undefined, PoliciesUnavailable>
    readonly search: (query: PolicyQuery) => Effect.Effect<PolicyPage, PoliciesUnavailable>
    readonly history: (
      policyId: PolicyId
    ) => Effect.Effect<ReadonlyArray<PolicyRevision>, PoliciesUnavailable>
    readonly candidates: (
      query: CandidatesQuery
    ) => Effect.Effect<ReadonlyArray<PolicyVersion>, PoliciesUnavailable>
    readonly criteria: (query: CriteriaQuery) => Effect.Effect<CriteriaPage, PoliciesUnavailable>
    readonly inForce: (query: {
      readonly asOf: IsoDate
      /** The last of the page before; null: from the first. */
      readonly after: PolicyId | null
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<PolicyVersion>, PoliciesUnavailable>
    readonly changes: (
      query: ChangesQuery
    ) => Effect.Effect<
      { readonly changes: ReadonlyArray<RecordedChange>; readonly next: number | null },
      PoliciesUnavailable
    >
  }
>()("coverage/core/port/Policies") {}

/** A change of a policy as it was recorded, with what the policy is called now. */
export interface RecordedChange extends PolicyChange {
  /** Counts up in the order of recording. */
  readonly diffId: number
  readonly policy: Policy
  readonly title: string
  readonly oldVersion: number | null
  readonly newVersion: number
  readonly changedAt: IsoTime
}

export interface ChangesQuery {
  /** Policies at this time or later; null: all. */
  readonly since: IsoTime | null
  readonly policyId: PolicyId | null
  readonly changeType: ChangeType | null
  readonly policyType: PolicyType | null
  /** Policies before this one in the list; null: from the newest. */
  readonly before: number | null
  readonly limit: number
}
