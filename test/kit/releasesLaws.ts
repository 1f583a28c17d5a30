import { deepStrictEqual, ok, strictEqual } from "node:assert/strict"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import type { IsoTime } from "../../core/coverage/date.ts"
import type { DecisionPosition, DecisionsQuery } from "../../core/port/Releases.ts"
import { Releases, ReleasesUnavailable } from "../../core/port/Releases.ts"
import type { CertifiedDecision, ReleaseEnd, PolicyDecisions, Release } from "../../core/release/Release.ts"
import type { ReleaseId } from "../../core/release/ReleaseId.ts"
import type { Law } from "./Law.ts"
import { diagnoses, documentOf, procedure, time } from "./library.ts"
import { certificateOf, decisionsFor, makingOf, versionOf } from "./releases.ts"
import { decisionsOf } from "../../core/release/record.ts"
import { sha256Hex } from "./releases.ts"

const unknown = `rel_${"0".repeat(64)}` as ReleaseId

/** What every store of releases keeps (core/port/Releases.ts); each check wants an empty one. */
export const releasesLaws: ReadonlyArray<Law<Releases>> = [
  {
    says: "law 1: the certificate is of every hash that was kept, once and in ascending order",
    check: Effect.gen(function* () {
      const { certificate, policies } = makingOf(many)
      let seen: ReadonlyArray<string> = []
      const watching = (hashes: Stream.Stream<string, ReleasesUnavailable>) =>
        Effect.flatMap(Stream.runCollect(hashes), (all) => {
          seen = all
          return certificate(Stream.fromIterable(all))
        })
      yield* (yield* Releases).save({ policies, certificate: watching })
      deepStrictEqual(seen, hashesIn(many))
    })
  },
  {
    says: "law 1: what fails half-way, in its policies or its certificate, leaves nothing",
    check: Effect.gen(function* () {
      const releases = yield* Releases
      const { certificate, policies } = makingOf(many)
      const gone = new ReleasesUnavailable({ fault: "timeout" })
      const cut = Stream.concat(policies, Stream.fail(gone))
      strictEqual(yield* Effect.flip(releases.save({ policies: cut, certificate })), gone)
      strictEqual(yield* Effect.flip(releases.save({ policies, certificate: () => Effect.fail(gone) })), gone)
      deepStrictEqual(yield* releases.list, [])
      const { releaseId } = certificateOf(hashesIn(many))
      deepStrictEqual(yield* pages({ releaseId, code: "E0601" }), [])
      strictEqual((yield* releases.save({ policies, certificate })).isNew, true)
    })
  },
  {
    says: "law 2: what is certified again stays as it was certified first",
    check: Effect.gen(function* () {
      const releases = yield* Releases
      const first = yield* releases.save(makingOf(many))
      const again = { signature: "e30..YWdhaW4", certifiedAt: time("2027-01-01T00:00:00.000Z") }
      deepStrictEqual(yield* releases.save(makingOf(many, again)), { ...first, isNew: false })
      deepStrictEqual(yield* releases.list, [first.release])
      deepStrictEqual(yield* all(first.release), inOrder(many))
    })
  },
  {
    says: "law 3: a release is found as it was certified, the newest first in the list",
    check: Effect.gen(function* () {
      const releases = yield* Releases
      const first = yield* kept(decisionsFor("L1", "E0601"))
      const second = yield* kept(decisionsFor("L2", "E0601"))
      deepStrictEqual(first, { ...certificateOf(hashesIn([decisionsFor("L1", "E0601")])), endings: [] })
      deepStrictEqual(yield* releases.find(first.releaseId), first)
      deepStrictEqual(yield* releases.list, [second, first])
      strictEqual(yield* releases.find(unknown), undefined)
    })
  },
  {
    says: "law 4: a page has exactly what the filters admit, by policy and then by system",
    check: Effect.gen(function* () {
      const { releaseId } = yield* kept(...many)
      for (const code of ["E0601", "A0100", "nothing"])
        for (const codeSystem of [null, "HCPCS", "ICD10CM"] as const)
          for (const payerCode of [null, "medicare", "northstar"]) {
            const asked = { releaseId, code, codeSystem, payerCode }
            deepStrictEqual(yield* pages(asked), admitted(asked))
          }
      deepStrictEqual(yield* pages({ releaseId: unknown, code: "E0601" }), [])
    })
  },
  {
    says: "law 4: pages of any size, one after the other, give each decision once",
    check: Effect.gen(function* () {
      const { releaseId } = yield* kept(...many)
      const asked = { releaseId, code: "A0100" }
      for (const limit of fc.sample(fc.integer({ min: 1, max: 12 }), 6))
        deepStrictEqual(yield* pages({ ...asked, limit }), admitted(asked))
    })
  },
  {
    says: "law 4: all decisions come by their record hashes",
    check: Effect.gen(function* () {
      deepStrictEqual(yield* all(yield* kept(...many)), inOrder(many))
    })
  },
  {
    says: "law 5: releases do not touch each other",
    check: Effect.gen(function* () {
      const first = yield* kept(decisionsFor("L1", "E0601", "K0001"))
      const second = yield* kept(decisionsFor("L1", "E0601"), decisionsFor("L2", "E0601"))
      const end = { releaseId: second.releaseId, ending: revoked }
      yield* (yield* Releases).end(end)
      deepStrictEqual(yield* (yield* Releases).find(first.releaseId), first)
      const of = (release: Release) =>
        Effect.map(pages({ releaseId: release.releaseId, code: "E0601" }), (found) => found.map(policyOf))
      deepStrictEqual(yield* of(first), ["L1"])
      deepStrictEqual(yield* of(second), ["L1", "L2"])
      strictEqual((yield* all(first)).length, 2)
    })
  },
  {
    says: "law 6: the first ending of a kind stays, and nothing else of the release changes",
    check: Effect.gen(function* () {
      const releases = yield* Releases
      const release = yield* kept(...many)
      const { releaseId } = release
      const end = (ending: ReleaseEnd) => releases.end({ releaseId, ending })
      deepStrictEqual(yield* end(expired), { ...release, endings: [expired] })
      deepStrictEqual(yield* end({ ...expired, reason: "again" }), { ...release, endings: [expired] })
      deepStrictEqual(yield* end(revoked), { ...release, endings: [expired, revoked] })
      deepStrictEqual(yield* releases.find(releaseId), { ...release, endings: [expired, revoked] })
      deepStrictEqual(yield* all(release), inOrder(many))
      strictEqual(yield* releases.end({ releaseId: unknown, ending: expired }), undefined)
    })
  }
]

/** What a store of releases keeps whose PostgreSQL is unavailable. */
export const absentReleasesLaws: ReadonlyArray<Law<Releases>> = [
  {
    says: "law 7: a store that is unavailable says so, and guesses nothing",
    check: Effect.gen(function* () {
      const releases = yield* Releases
      const query = { ...everything, releaseId: unknown, code: "E0601" }
      const verbs = [
        releases.save(makingOf(many)),
        releases.find(unknown),
        releases.list,
        releases.page(query),
        Stream.runCollect(releases.decisions(unknown)),
        releases.end({ releaseId: unknown, ending: expired })
      ]
      for (const verb of verbs) {
        const failure = yield* Effect.flip(verb as Effect.Effect<unknown, ReleasesUnavailable>)
        ok(failure instanceof ReleasesUnavailable)
        strictEqual(failure.fault, "unreachable")
      }
    })
  }
]

const expired: ReleaseEnd = { kind: "expired", reason: null, at: "2026-05-01T00:00:00.001Z" as IsoTime }
const revoked: ReleaseEnd = {
  kind: "revoked",
  reason: 'Said, "no"',
  at: "2026-06-01T00:00:00.000Z" as IsoTime
}

/** A code of two systems, a policy of another payer, and more of one code than a small page holds. */
const many: ReadonlyArray<PolicyDecisions> = [
  ...["L30", "L4", "A1", "NCD 2", "NCD 10", "L31", "L32"].map((policyId) =>
    decisionsOf(
      sha256Hex,
      versionOf(documentOf({ policyId, codeGroups: [procedure("A0100", "E0601"), diagnoses("A0100")] }))
    )
  ),
  decisionsOf(
    sha256Hex,
    versionOf({
      ...documentOf({ policyId: "NS-1", codeGroups: [procedure("E0601")] }),
      policy: {
        policyId: "NS-1" as never,
        policyType: "PayerPolicy",
        payerCode: "northstar",
        lineOfBusiness: "medicaid"
      },
      retireDate: "2027-01-01" as never
    })
  )
]

const flat = (policies: ReadonlyArray<PolicyDecisions>): ReadonlyArray<CertifiedDecision> =>
  policies.flatMap(({ codes, policy }) => codes.map((code) => ({ policy, code })))

const hashesIn = (policies: ReadonlyArray<PolicyDecisions>): ReadonlyArray<string> =>
  flat(policies)
    .map(({ code }) => code.recordSha256)
    .toSorted()

const inOrder = (policies: ReadonlyArray<PolicyDecisions>): ReadonlyArray<CertifiedDecision> =>
  flat(policies).toSorted((a, b) => (a.code.recordSha256 < b.code.recordSha256 ? -1 : 1))

const policyOf = ({ policy }: CertifiedDecision): string => policy.policyId

const everything = { codeSystem: null, payerCode: null, after: null, limit: 100 } as const

type Asked = Pick<DecisionsQuery, "releaseId" | "code"> & Partial<DecisionsQuery>

const admitted = ({ code, codeSystem = null, payerCode = null }: Asked): ReadonlyArray<CertifiedDecision> =>
  flat(many)
    .filter(
      (one) =>
        one.code.code === code &&
        (codeSystem === null || one.code.codeSystem === codeSystem) &&
        (payerCode === null || one.policy.payerCode === payerCode)
    )
    .toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))

const placeOf = ({ code, policy }: CertifiedDecision): string => `${policy.policyId}\0${code.codeSystem}`

/** Every page of the query, one after the other. */
const pages = Effect.fnUntraced(function* (asked: Asked) {
  const found: Array<CertifiedDecision> = []
  let after: DecisionPosition | null = null
  do {
    const query: DecisionsQuery = { ...everything, ...asked, after }
    const page: Effect.Success<ReturnType<Releases["Service"]["page"]>> = yield* (yield* Releases).page(query)
    ok(page.decisions.length <= query.limit)
    found.push(...page.decisions)
    after = page.next
  } while (after !== null)
  return found
})

const all = (release: Release) =>
  Effect.flatMap(Releases, (releases) => Stream.runCollect(releases.decisions(release.releaseId)))

const kept = (...policies: ReadonlyArray<PolicyDecisions>) =>
  Effect.flatMap(Releases, (releases) =>
    Effect.map(releases.save(makingOf(policies)), ({ release }) => release)
  )
