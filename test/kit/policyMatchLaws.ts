import { deepStrictEqual, ok, strictEqual } from "node:assert/strict"
import * as Effect from "effect/Effect"
import { commonMin } from "../../core/coverage/search.ts"
import type { PolicyPage } from "../../core/port/Policies.ts"
import { Policies } from "../../core/port/Policies.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import type { Law } from "./Law.ts"
import {
  day,
  documentOf,
  importedAt,
  passage,
  procedure,
  queryOf,
  recordOf,
  save,
  snapshotOf
} from "./library.ts"
import { everyPage } from "./policyPages.ts"

/** How a text finds policies that hold all of it, some of it, or nearly so (contract §2, GET /policies). */
export const policyMatchLaws: ReadonlyArray<Law<Policies | Snapshots>> = [
  {
    says: "contract §2 what holds all words stands by where: title, keywords, text, codes' descriptions",
    check: Effect.gen(function* () {
      yield* saveCodes("E0601", "Oxygen pump", "E0602", "Oxygen", "E0603", "Scan", "E0604", "Knee")
      yield* save(
        documentOf({ policyId: "L5", codeGroups: [procedure("E0601", "E0603", "E0602", "E0604")] }),
        documentOf({ policyId: "L4", criteria: [passage("b", "An oxygen tank and a pump")] }),
        documentOf({ policyId: "L3", title: "Oxygen", keywords: ["pump"] }),
        documentOf({ policyId: "L2", title: "A pump for oxygen" }),
        documentOf({ policyId: "L1", title: "Beds" })
      )
      deepStrictEqual(yield* found("oxygen pump", 4), ["L2 all", "L3 all", "L4 all", "L5 all"])
    })
  },
  {
    says: "contract §2 a word that a third of a policy's procedures share counts as a keyword of it",
    check: Effect.gen(function* () {
      yield* saveCodes("E0601", "Walker, folding", "E0602", "Walker seat", "E0603", "Brake of a seat")
      yield* save(
        documentOf({ policyId: "L1", criteria: [passage("b", "Not for a walker")] }),
        documentOf({ policyId: "L2", codeGroups: [procedure("E0601", "E0602", "E0603")] })
      )
      deepStrictEqual(yield* found("walkers"), ["L2 all", "L1 all"])
    })
  },
  {
    says: "contract §2 words may be held by the title and by a code's description, whichever was imported first",
    check: Effect.gen(function* () {
      yield* save(documentOf({ policyId: "L1", title: "Oxygen", codeGroups: [procedure("E0601")] }))
      yield* saveCodes("E0601", "Portable concentrator", "E0602", "Portable bed")
      yield* save(documentOf({ policyId: "L2", title: "Oxygen", codeGroups: [procedure("E0602")] }))
      deepStrictEqual(yield* found("portable oxygen concentrator"), ["L1 all", "L2 some"])
    })
  },
  {
    says: "contract §2 what documents call their codes is searched too, whichever was imported first",
    check: Effect.gen(function* () {
      yield* save(documentOf({ policyId: "L1", codeGroups: [procedure("E0734")] }))
      const description = (code: string, text: string) => ({
        code,
        codeSystem: "HCPCS" as const,
        description: text
      })
      yield* (yield* Snapshots).save({
        _tag: "Descriptions",
        snapshot: snapshotOf({}),
        descriptions: [description("E0734", "Tremor stimulator"), description("E0735", "Tremor")]
      })
      yield* save(documentOf({ policyId: "L2", codeGroups: [procedure("E0735", "E0736")] }))
      deepStrictEqual((yield* found("tremors")).toSorted(), ["L1 all", "L2 all"])
      deepStrictEqual(yield* found("tremmor"), ["L1 near", "L2 near"])
    })
  },
  {
    says: "contract §2 only after what holds all words follows what holds some, the more first",
    check: Effect.gen(function* () {
      yield* save(
        documentOf({ policyId: "L1", title: "Lumbar beds" }),
        documentOf({ policyId: "L2", title: "Beds" }),
        documentOf({ policyId: "L3", title: "Beds of old" }),
        documentOf({ policyId: "L4", title: "Lumbar pump beds" }),
        documentOf({ policyId: "L5", title: "Of the knee" })
      )
      deepStrictEqual(yield* found("lumbar beds pump"), ["L4 all", "L1 some", "L2 some", "L3 some"])
      deepStrictEqual(yield* found("lumbar beds pump", 1), ["L4 all"])
      deepStrictEqual(yield* found("knee zzzz"), ["L5 some"])
      deepStrictEqual(yield* found("lumbar -pump"), ["L1 all"])
      deepStrictEqual((yield* found("lumbar knee -pump")).toSorted(), ["L1 some", "L5 some"])
    })
  },
  {
    says: "contract §2 a term is found by its synonyms, one of several words as a whole before its words",
    check: Effect.gen(function* () {
      yield* save(
        documentOf({ policyId: "L1", title: "Negative pressure wound therapy" }),
        documentOf({ policyId: "L2", title: "Wound care" }),
        documentOf({ policyId: "L3", title: "Pumps", criteria: [passage("b", "a wound pump")] })
      )
      deepStrictEqual(yield* found("wound vacs"), ["L1 all", "L3 all", "L2 some"])
      deepStrictEqual(yield* found("Wound-vac medicare"), ["L1 all", "L3 all", "L2 some"])
      deepStrictEqual(yield* found("medicare"), [])
    })
  },
  {
    says: "contract §2 what nobody spells so is found by the nearest known word, and told",
    check: Effect.gen(function* () {
      yield* save(
        documentOf({ policyId: "L1", title: "Hyperbaric beds" }),
        documentOf({ policyId: "L2", title: "Home oxygen" }),
        documentOf({ policyId: "L3", title: "Hyperbaric oxygen" })
      )
      const snapshot = snapshotOf({})
      yield* (yield* Snapshots).complete({ snapshot, at: importedAt })
      const page = (text: string) => Effect.flatMap(Policies, ({ search }) => search(queryOf({ text })))
      const near = yield* page("Hyperbaric oxigen")
      deepStrictEqual(matchesOf(near), ["L3 some", "L1 some", "L2 near"])
      strictEqual(near.didYouMean, "hyperbaric oxygen")
      deepStrictEqual(yield* found("oxigen"), ["L2 near", "L3 near"])
      const known = yield* page("oxygen")
      deepStrictEqual([matchesOf(known), known.didYouMean], [["L2 all", "L3 all"], null])
      const none = yield* page("zzzzzz")
      deepStrictEqual([matchesOf(none), none.didYouMean], [[], null])
    })
  },
  {
    says: "contract §2 a word that many hold finds some only where nothing else did, and then each once",
    check: Effect.gen(function* () {
      const beds = Array.from({ length: commonMin + 10 }, (_, index) =>
        documentOf({
          policyId: `L${(index * 7919) % 1000}`,
          title: index % 9 === 0 ? "Beds" : "Chairs, beds"
        })
      )
      yield* Effect.forEach(beds, (document) => save(document), { concurrency: 8, discard: true })
      yield* save(documentOf({ policyId: "L5000", title: "Lumbar scan" }))
      yield* (yield* Snapshots).complete({ snapshot: snapshotOf({}), at: importedAt })
      deepStrictEqual(yield* found("beds lumbar"), ["L5000 some"])
      const policies = yield* Policies
      for (const [text, match] of [
        ["beds zzzz", "some"],
        ["bedz", "near"]
      ] as const) {
        const listed = yield* everyPage(policies, queryOf({ text, limit: 90 }), () =>
          save(documentOf({ policyId: "L5001", title: "Beds" }))
        )
        const seen = listed.map(({ policy }) => policy.policyId)
        strictEqual(new Set(seen).size, seen.length)
        for (const { policy } of beds) ok(seen.includes(policy.policyId), `${policy.policyId} for ${text}`)
        ok(listed.every((one) => one.match === match))
      }
    })
  },
  {
    says: "contract §1 pages of what holds some words neither skip nor repeat while others are written",
    check: Effect.gen(function* () {
      const titles = ["Oxygen pump", "Oxygen", "Pump", "Beds oxygen", "Scan", "Oxygon"]
      const before = Array.from({ length: 42 }, (_, index) =>
        documentOf({ policyId: `L${(index * 17) % 42}`, title: titles[index % titles.length] ?? "" })
      )
      yield* save(...before)
      yield* (yield* Snapshots).complete({ snapshot: snapshotOf({}), at: importedAt })
      const policies = yield* Policies
      let written = 0
      const listed = yield* everyPage(policies, queryOf({ text: "oxygen pump", limit: 4 }), () => {
        written += 1
        return save(documentOf({ policyId: `L9${written}`, title: titles[written % titles.length] ?? "" }))
      })
      const seen = listed.map(({ policy }) => policy.policyId)
      strictEqual(new Set(seen).size, seen.length)
      for (const { policy, title } of before) {
        strictEqual(seen.includes(policy.policyId), /oxygen|pump/i.test(title), `for ${title}`)
      }
      const order = listed.map(({ match }) => match)
      deepStrictEqual(order, order.toSorted())
      ok(order.includes("all") && order.includes("some"))
    })
  }
]

const matchesOf = ({ listings }: PolicyPage) =>
  listings.map(({ match, policy }) => `${policy.policyId} ${match}`)

const found = (text: string, limit = 50) =>
  Effect.flatMap(Policies, ({ search }) => Effect.map(search(queryOf({ text, limit })), matchesOf))

/** Imports these codes, each with the description after it. */
const saveCodes = (...texts: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const snapshot = snapshotOf({ snapshotId: "c".repeat(64), kind: "hcpcs", sourceAsOf: day("2026-01-01") })
    const codes = texts.flatMap((code, index) =>
      index % 2 === 0 ? [recordOf({ code, description: texts[index + 1] ?? null })] : []
    )
    const snapshots = yield* Snapshots
    yield* snapshots.save({ _tag: "Codes", snapshot, codes })
    yield* snapshots.complete({ snapshot, at: importedAt })
  })
