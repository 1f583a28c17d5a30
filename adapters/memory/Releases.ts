import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { DecisionPosition, DecisionsQuery, NewRelease } from "../../core/port/Releases.ts"
import { Releases } from "../../core/port/Releases.ts"
import type { CertifiedDecision, Release } from "../../core/release/Release.ts"
import type { ReleaseId } from "../../core/release/ReleaseId.ts"

/** Certified releases, kept in the process. */
export const layer = Layer.sync(Releases, () => {
  const kept = new Map<ReleaseId, Kept>()
  return Releases.of({
    save: <E, R>(making: NewRelease<E, R>) =>
      Effect.gen(function* () {
        const policies = yield* Stream.runCollect(making.policies)
        const decisions = policies
          .flatMap(({ codes, policy }) => codes.map((code): CertifiedDecision => ({ policy, code })))
          .toSorted(byHash)
        const hashes = Stream.fromIterable(decisions.map(({ code }) => code.recordSha256))
        const certificate = yield* making.certificate(hashes)
        const known = kept.get(certificate.releaseId)
        if (known !== undefined) return { release: known.release, isNew: false }
        const release: Release = { ...certificate, endings: [] }
        kept.set(release.releaseId, { release, decisions, byCode: byCode(decisions) })
        return { release, isNew: true }
      }),
    find: (releaseId) => Effect.sync(() => kept.get(releaseId)?.release),
    list: Effect.sync(() => [...kept.values()].map(({ release }) => release).toReversed()),
    page: (query) => Effect.sync(() => pageOf(kept.get(query.releaseId), query)),
    decisions: (releaseId) => Stream.suspend(() => Stream.fromIterable(kept.get(releaseId)?.decisions ?? [])),
    end: ({ ending, releaseId }) =>
      Effect.sync(() => {
        const found = kept.get(releaseId)
        if (found === undefined) return undefined
        const { endings } = found.release
        if (endings.some(({ kind }) => kind === ending.kind)) return found.release
        const release = { ...found.release, endings: [...endings, ending] }
        kept.set(releaseId, { ...found, release })
        return release
      })
  })
})

interface Kept {
  readonly release: Release
  /** By record hash. */
  readonly decisions: ReadonlyArray<CertifiedDecision>
  /** Those of each code in the order of a page. */
  readonly byCode: ReadonlyMap<string, ReadonlyArray<CertifiedDecision>>
}

const byCode = (decisions: ReadonlyArray<CertifiedDecision>): Kept["byCode"] =>
  Map.groupBy(
    decisions.toSorted((a, b) => inOrder(positionOf(a), positionOf(b))),
    ({ code }) => code.code
  )

const pageOf = (kept: Kept | undefined, query: DecisionsQuery) => {
  const { after, codeSystem, limit, payerCode } = query
  const found = (kept?.byCode.get(query.code) ?? []).filter(
    (one) =>
      (codeSystem === null || one.code.codeSystem === codeSystem) &&
      (payerCode === null || one.policy.payerCode === payerCode) &&
      (after === null || inOrder(positionOf(one), after) > 0)
  )
  const decisions = found.slice(0, limit)
  const last = decisions.at(-1)
  return { decisions, next: last === undefined || found.length <= limit ? null : positionOf(last) }
}

const positionOf = ({ code, policy }: CertifiedDecision): DecisionPosition => ({
  policyId: policy.policyId,
  codeSystem: code.codeSystem
})

const inOrder = (a: DecisionPosition, b: DecisionPosition): number =>
  compare(a.policyId, b.policyId) || compare(a.codeSystem, b.codeSystem)

const byHash = (a: CertifiedDecision, b: CertifiedDecision): number =>
  compare(a.code.recordSha256, b.code.recordSha256)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
