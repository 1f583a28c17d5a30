import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type { CodeSystem } from "../coverage/Code.ts"
import type {
  Certificate,
  CertifiedDecision,
  ReleaseEnd,
  PolicyDecisions,
  Release
} from "../release/Release.ts"
import type { ReleaseId, Sha256 } from "../release/ReleaseId.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class ReleasesUnavailable extends Schema.TaggedError<ReleasesUnavailable>()("ReleasesUnavailable", {
  fault: StoreFault
}) {}

/** How a release comes to be. */
export interface NewRelease<E, R> {
  /** Every policy once. What it reads through the ports it reads as of one instant. */
  readonly policies: Stream.Stream<PolicyDecisions, E, R>
  /** Asked once all are kept: what they amount to, from their record hashes in ascending order. */
  readonly certificate: (
    hashes: Stream.Stream<Sha256, ReleasesUnavailable>
  ) => Effect.Effect<Certificate, E | ReleasesUnavailable, R>
}

export interface DecisionsQuery {
  readonly releaseId: ReleaseId
  readonly code: string
  readonly codeSystem: CodeSystem | null
  readonly payerCode: string | null
  /** The end of the previous page. */
  readonly after: DecisionPosition | null
  readonly limit: number
}

/** Order: policy id, then code system. */
export interface DecisionPosition {
  readonly policyId: string
  readonly codeSystem: string
}

export interface DecisionsPage {
  readonly decisions: ReadonlyArray<CertifiedDecision>
  /** Position of the last decision when more follow. */
  readonly next: DecisionPosition | null
}

/**
 * Certified releases (§4.5, contract §2): each owns its rows, and none of them is ever changed.
 *
 * 1. `save` is all or nothing, whatever fails and whenever. Its certificate is given every record hash that
 *    was kept, once and in ascending order.
 * 2. What is the same release as one that is kept leaves that one as it was and answers it, with `isNew`
 *    false.
 * 3. `find` and `list` give a release exactly as it was certified, with its endings; `list` the newest first.
 * 4. `page` gives exactly the decisions of the release that the filters admit, each once, in keyset order;
 *    following `next` to the end gives all. `decisions` gives all of them by ascending record hash.
 * 5. Releases do not touch each other, nor does anything that is imported touch one.
 * 6. `end` keeps the first ending of a kind; an unknown id is undefined. It is seen by the next read
 *    anywhere.
 * 7. An unavailable store fails with ReleasesUnavailable.
 */
export class Releases extends Context.Service<
  Releases,
  {
    readonly save: <E, R>(
      making: NewRelease<E, R>
    ) => Effect.Effect<{ readonly release: Release; readonly isNew: boolean }, E | ReleasesUnavailable, R>
    readonly find: (releaseId: ReleaseId) => Effect.Effect<Release | undefined, ReleasesUnavailable>
    readonly list: Effect.Effect<ReadonlyArray<Release>, ReleasesUnavailable>
    readonly page: (query: DecisionsQuery) => Effect.Effect<DecisionsPage, ReleasesUnavailable>
    readonly decisions: (releaseId: ReleaseId) => Stream.Stream<CertifiedDecision, ReleasesUnavailable>
    readonly end: (input: {
      readonly releaseId: ReleaseId
      readonly ending: ReleaseEnd
    }) => Effect.Effect<Release | undefined, ReleasesUnavailable>
  }
>()("coverage/core/port/Releases") {}
