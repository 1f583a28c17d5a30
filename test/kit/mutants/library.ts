import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { PolicyId } from "../../../core/coverage/Policy.ts"
import { searchWords } from "../../../core/coverage/search.ts"
import { Codes } from "../../../core/port/Codes.ts"
import { Policies } from "../../../core/port/Policies.ts"
import { Snapshots } from "../../../core/port/Snapshots.ts"
import { day } from "../library.ts"
import { memoryLibrary } from "../oracle.ts"

type PoliciesVerbs = typeof Policies.Service

type CodesVerbs = typeof Codes.Service

type SnapshotsVerbs = typeof Snapshots.Service

const whole = Layer.fresh(memoryLibrary)

const policies = (breaks: (sound: PoliciesVerbs) => Partial<PoliciesVerbs>) =>
  Layer.effect(
    Policies,
    Effect.map(Policies, (sound) => Policies.of({ ...sound, ...breaks(sound) }))
  ).pipe(Layer.provideMerge(whole))

const codes = (breaks: (sound: CodesVerbs) => Partial<CodesVerbs>) =>
  Layer.effect(
    Codes,
    Effect.map(Codes, (sound) => Codes.of({ ...sound, ...breaks(sound) }))
  ).pipe(Layer.provideMerge(whole))

/** A library whose imported data breaks one promise. */
export const snapshots = (breaks: (sound: SnapshotsVerbs) => Partial<SnapshotsVerbs>) =>
  Layer.effect(
    Snapshots,
    Effect.map(Snapshots, (sound) => Snapshots.of({ ...sound, ...breaks(sound) }))
  ).pipe(Layer.provideMerge(whole))

/** Stores of policies that break one promise each; the laws must refuse every one of them. */
export const policiesMutants = {
  "reads the newest version on every day": policies((sound) => ({
    find: (query) => sound.find({ ...query, asOf: day("9999-12-31") })
  })),
  "searches as of another day": policies((sound) => ({
    search: (query) => sound.search({ ...query, asOf: day("2026-01-01") })
  })),
  "takes retired for all": policies((sound) => ({
    search: (query) => sound.search({ ...query, status: query.status === "retired" ? "all" : query.status })
  })),
  "leaves national documents out of a place": policies((sound) => ({
    search: (query) =>
      Effect.map(sound.search(query), (page) => ({
        ...page,
        listings: page.listings.filter((one) => query.place === null || one.jurisdictions.length > 0)
      }))
  })),
  "skips the row at the end of a page": policies((sound) => ({
    search: (query) =>
      Effect.map(sound.search(query), (page) => ({
        ...page,
        listings: page.next === null ? page.listings : page.listings.slice(0, -1)
      }))
  })),
  "repeats the row at the end of a page": policies((sound) => ({
    search: (query) =>
      sound.search(
        query.after === null
          ? query
          : {
              ...query,
              after: { ...query.after, policyId: `${query.after.policyId.slice(0, -1)}${" "}` }
            }
      )
  })),
  "offers a page after the last": policies((sound) => ({
    search: (query) =>
      Effect.map(sound.search(query), (page) => {
        const last = page.listings.at(-1)
        return last === undefined ? page : { ...page, next: page.next ?? { relevance: -1, policyId: "~" } }
      })
  })),
  "finds everything by a word that says nothing": policies((sound) => ({
    search: (query) => sound.search(query.text === "the" ? { ...query, text: null } : query)
  })),
  "includes what was not asked for": policies((sound) => ({
    search: (query) => sound.search({ ...query, include: new Set(["summary", "criteria", "codes"]) })
  })),
  "takes an id for the one it begins with": policies((sound) => ({
    find: (query) =>
      Effect.flatMap(sound.find(query), (read) =>
        read === undefined
          ? sound.find({ ...query, policyId: query.policyId.slice(0, -1) as PolicyId })
          : Effect.succeed(read)
      )
  })),
  "cuts a long text off": policies((sound) => ({
    find: (query) =>
      Effect.map(
        sound.find(query),
        (read) =>
          read && {
            ...read,
            version: {
              ...read.version,
              criteria: read.version.criteria.map((one) => ({
                ...one,
                text: one.text.slice(0, 500_000)
              }))
            }
          }
      )
  })),
  "lists what a text finds by id alone": policies((sound) => ({
    search: (query) =>
      Effect.map(sound.search(query), (page) => ({
        ...page,
        listings: page.listings.toSorted((one, other) =>
          one.policy.policyId < other.policy.policyId ? -1 : 1
        )
      }))
  })),
  "takes what holds some words for what holds all": policies((sound) => ({
    search: (query) =>
      Effect.map(sound.search(query), (page) => ({
        ...page,
        listings: page.listings.map((one) => (one.match === null ? one : { ...one, match: "all" }))
      }))
  })),
  "finds nothing in part": policies((sound) => ({
    search: (query) => sound.search({ ...query, words: { ...query.words, some: [] } })
  })),
  "takes a term for its words alone": policies((sound) => ({
    search: (query) => sound.search({ ...query, words: searchWords(query.text ?? "", new Map()) })
  })),
  "forgets what the descriptions of codes say": policies((sound) => ({
    search: (query) =>
      Effect.map(sound.search(query), (page) => ({
        ...page,
        listings: page.listings.filter((one) => query.text === null || one.codeCount === 0)
      }))
  })),
  "reads the point in a text as a space": policies((sound) => ({
    search: (query) => sound.search({ ...query, text: query.text?.replaceAll(".", " ") ?? null })
  })),
  "breaks on a text that ends early": policies((sound) => ({
    search: (query) =>
      query.text?.includes("\0") === true ? Effect.die("an unexpected end of text") : sound.search(query)
  })),
  "takes a category for a code": policies((sound) => ({
    search: ({ diagnosis, ...query }) =>
      sound.search({
        ...query,
        diagnosis: diagnosis?._tag === "Category" ? { _tag: "Code", code: diagnosis.category } : diagnosis
      })
  })),
  "takes a diagnosis for a procedure": policies((sound) => ({
    search: (query) =>
      sound.search({
        ...query,
        procedureCode:
          query.procedureCode ?? (query.diagnosis?._tag === "Code" ? query.diagnosis.code : null),
        diagnosis: null
      })
  })),
  "forgets in a search which determinations the table names": policies((sound) => ({
    search: (query) =>
      Effect.map(sound.search(query), (page) => ({
        ...page,
        listings: page.listings.filter(
          (one) => query.procedureCode === null || one.policy.policyType !== "NCD"
        )
      }))
  })),
  "tells the newest change first": policies((sound) => ({
    history: (policyId) => Effect.map(sound.history(policyId), (steps) => steps.toReversed())
  }))
}

/** As for policies. */
export const codesMutants = {
  "reads the newest edition on every day": codes((sound) => ({
    find: (query) => sound.find({ ...query, asOf: day("9999-12-31") })
  })),
  "answers in an order of its own": codes((sound) => ({
    find: (query) => sound.find({ ...query, codes: query.codes.toSorted() })
  })),
  "forgets the code system": codes((sound) => ({
    find: (query) => sound.find({ ...query, codeSystem: null })
  })),
  "suggests one too many": codes((sound) => ({
    suggest: (query) => sound.suggest({ ...query, limit: query.limit + 1 })
  })),
  "suggests by code alone": codes((sound) => ({
    suggest: (query) =>
      Effect.map(sound.suggest(query), (all) => all.filter((one) => one.matchType === "code"))
  })),
  "forgets which tables there are": codes(() => ({ tables: Effect.succeed([]) })),
  "values a service by another day's schedule": codes((sound) => ({
    fees: (query) => sound.fees({ ...query, asOf: day("2026-12-31") })
  })),
  "describes a code by another day's table": codes((sound) => ({
    descriptions: (query) => sound.descriptions({ ...query, asOf: day("2026-12-31") })
  })),
  "lists the policies of every place": codes((sound) => ({
    policies: (query) => sound.policies({ ...query, place: null })
  })),
  "lists policies without end": codes((sound) => ({
    policies: (query) => sound.policies({ ...query, limit: 1_000 })
  }))
}

/** As for policies. */
export const snapshotsMutants = {
  "takes another file for another document": snapshots((sound) => ({
    saveHistory: (input) =>
      sound.saveHistory({
        ...input,
        documents: input.documents.map((one) => ({
          ...one,
          title: `${one.title} ${one.sourceDocumentSha256}`
        }))
      })
  })),
  "counts the codes it was given": snapshots((sound) => ({
    save: (input) =>
      input._tag === "Codes"
        ? Effect.as(sound.save(input), { written: input.codes.length })
        : sound.save(input)
  })),
  "ends the codes it was told are listed": snapshots((sound) => ({
    save: (input) => sound.save(input._tag === "UnlistedCodes" ? { ...input, listed: new Set() } : input)
  })),
  "ends codes on the day of the snapshot": snapshots((sound) => ({
    save: (input) =>
      sound.save(
        input._tag === "UnlistedCodes"
          ? { ...input, snapshot: { ...input.snapshot, sourceAsOf: day("2025-01-02") } }
          : input
      )
  })),
  "keeps the jurisdictions of older snapshots": snapshots((sound) => ({
    save: (input) => {
      if (input._tag !== "Jurisdictions") return sound.save(input)
      const older = input.jurisdictions.map((one) => ({ ...one, jurisdictionCode: "JX" }))
      return sound.save({ ...input, jurisdictions: [...input.jurisdictions, ...older] })
    }
  })),
  "says that every version is the first": snapshots((sound) => ({
    saveHistory: (input) =>
      Effect.map(sound.saveHistory(input), (kept) =>
        kept.map((one) => (one._tag === "Recorded" ? { ...one, version: 1 } : one))
      )
  })),
  "leaves a version out while it keeps another": snapshots((sound) => {
    let isKeeping = false
    return {
      saveHistory: Effect.fnUntraced(function* (input) {
        if (isKeeping) return [{ _tag: "Unchanged" as const }]
        isKeeping = true
        yield* Effect.yieldNow
        return yield* Effect.ensuring(
          sound.saveHistory(input),
          Effect.sync(() => {
            isKeeping = false
          })
        )
      })
    }
  }),
  "calls every snapshot complete": snapshots(() => ({ isComplete: () => Effect.succeed(true) })),
  "never completes a snapshot": snapshots(() => ({ complete: () => Effect.void }))
}

/** As for what is found. */
export const keptMutants = {
  "counts the edits it was given": snapshots((sound) => ({
    save: (input) =>
      input._tag === "Edits"
        ? Effect.as(sound.save(input), { written: input.pairs.length + input.units.length })
        : sound.save(input)
  })),
  "tells the newest snapshots alone": snapshots((sound) => ({ completed: sound.current })),
  "lays a known history down again": snapshots((sound) => ({
    saveHistory: ({ documents, ...input }) =>
      Effect.map(
        Effect.forEach(documents, (document) => sound.saveHistory({ ...input, documents: [document] })),
        (kept) => kept.flat()
      )
  })),
  "keeps the newest of a history alone": snapshots((sound) => ({
    saveHistory: (input) => sound.saveHistory({ ...input, documents: input.documents.slice(-1) })
  }))
}
