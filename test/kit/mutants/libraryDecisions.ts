import { medicare } from "../../../core/coverage/Payer.ts"
import { everyWord } from "../../../core/coverage/search.ts"
import { procedureListing } from "../../../core/coverage/view.ts"
import { ClaimEdits } from "../../../core/port/ClaimEdits.ts"
import { NcdCodes } from "../../../core/port/NcdCodes.ts"
import { Payers } from "../../../core/port/Payers.ts"
import { Policies } from "../../../core/port/Policies.ts"
import { PriorAuthLists } from "../../../core/port/PriorAuthLists.ts"
import { day } from "../library.ts"
import { memoryLibrary } from "../oracle.ts"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { snapshots } from "./library.ts"

type PoliciesVerbs = typeof Policies.Service

type NcdCodesVerbs = typeof NcdCodes.Service

const whole = Layer.fresh(memoryLibrary)

const policies = (breaks: (sound: PoliciesVerbs) => Partial<PoliciesVerbs>) =>
  Layer.effect(
    Policies,
    Effect.map(Policies, (sound) => Policies.of({ ...sound, ...breaks(sound) }))
  ).pipe(Layer.provideMerge(whole))

const payers = (breaks: (sound: typeof Payers.Service) => Partial<typeof Payers.Service>) =>
  Layer.effect(
    Payers,
    Effect.map(Payers, (sound) => Payers.of({ ...sound, ...breaks(sound) }))
  ).pipe(Layer.provideMerge(whole))

const changes = (breaks: (sound: typeof Policies.Service) => Partial<typeof Policies.Service>) =>
  Layer.effect(
    Policies,
    Effect.map(Policies, (sound) => Policies.of({ ...sound, ...breaks(sound) }))
  ).pipe(Layer.provideMerge(whole))

const claimEdits = (breaks: (sound: typeof ClaimEdits.Service) => Partial<typeof ClaimEdits.Service>) =>
  Layer.effect(
    ClaimEdits,
    Effect.map(ClaimEdits, (sound) => ClaimEdits.of({ ...sound, ...breaks(sound) }))
  ).pipe(Layer.provideMerge(whole))

const priorAuthLists = (breaks: (sound: ListsVerbs) => Partial<ListsVerbs>) =>
  Layer.effect(
    PriorAuthLists,
    Effect.map(PriorAuthLists, (sound) => PriorAuthLists.of({ ...sound, ...breaks(sound) }))
  ).pipe(Layer.provideMerge(whole))

type ListsVerbs = typeof PriorAuthLists.Service

const ncdCodes = (breaks: (sound: NcdCodesVerbs) => Partial<NcdCodesVerbs>) =>
  Layer.effect(
    NcdCodes,
    Effect.map(NcdCodes, (sound) => NcdCodes.of({ ...sound, ...breaks(sound) }))
  ).pipe(Layer.provideMerge(whole))

/** Stores that break a promise about what decisions read; the laws must refuse every one of them. */
export const foundMutants = {
  "leaves related policies out of the candidates": policies((sound) => ({
    candidates: (query) =>
      Effect.map(sound.candidates(query), (versions) =>
        versions.filter(
          (version) =>
            version.policy.policyType === "NCD" ||
            query.codes.some((code) => procedureListing(version, code) !== undefined)
        )
      )
  })),
  "forgets the rows of NCD codes": ncdCodes(() => ({ save: () => Effect.succeed({ written: 0 }) })),
  "has in force what is not": policies((sound) => ({
    inForce: (query) => sound.inForce({ ...query, asOf: day("2026-01-01") })
  })),
  "begins every page anew": policies((sound) => ({
    inForce: (query) => (query.after === null ? sound.inForce(query) : Effect.succeed([]))
  })),
  "finds candidates of another day": policies((sound) => ({
    candidates: (query) => sound.candidates({ ...query, asOf: day("2026-01-01") })
  })),
  "remembers candidates": policies((sound) => {
    const known = new Map<string, Effect.Success<ReturnType<PoliciesVerbs["candidates"]>>>()
    return {
      candidates: Effect.fnUntraced(function* (query) {
        const name = JSON.stringify(query)
        const versions = known.get(name) ?? (yield* sound.candidates(query))
        known.set(name, versions)
        return versions
      })
    }
  }),
  "finds passages of every place": policies((sound) => ({
    criteria: (query) => sound.criteria({ ...query, place: null })
  })),
  "forgets the section": policies((sound) => ({
    criteria: (query) => sound.criteria({ ...query, section: null })
  })),
  "shows a passage without its tags": policies((sound) => ({
    criteria: (query) =>
      Effect.map(sound.criteria(query), (page) => ({
        ...page,
        found: page.found.map((one) => ({ ...one, block: { ...one.block, tags: null } }))
      }))
  })),
  "skips the passage at the end of a page": policies((sound) => ({
    criteria: (query) =>
      Effect.map(sound.criteria(query), (page) => ({
        ...page,
        found: page.next === null ? page.found : page.found.slice(0, -1)
      }))
  })),
  "finds no more passages than it ranks": policies((sound) => ({
    criteria: (query) =>
      Effect.map(sound.criteria(query), (page) => ({
        ...page,
        next: page.next !== null && page.next.ordinal > 100 ? null : page.next
      }))
  })),
  "finds passages by a word that says nothing": policies((sound) => ({
    criteria: (query) =>
      sound.criteria(query.words.all.length > 0 ? query : { ...query, words: everyWord("oxygen", new Map()) })
  }))
}

/** As for what is found. */
export const payersMutants = {
  "knows Medicare only by an import": payers((sound) => ({
    list: Effect.map(sound.list, (all) => all.filter((payer) => payer !== medicare))
  })),
  "lists payers backwards": payers((sound) => ({
    list: Effect.map(sound.list, (all) => all.toReversed())
  })),
  "knows Medicare better than the import": payers((sound) => ({
    list: Effect.map(sound.list, (all) =>
      all.map((payer) => (payer.code === medicare.code ? medicare : payer))
    )
  })),
  "keeps what was said of a payer first": snapshots((sound) => {
    const known = new Set<string>()
    return {
      save: (input) => {
        if (input._tag !== "Payers") return sound.save(input)
        const fresh = input.payers.filter((payer) => !known.has(payer.code))
        for (const payer of fresh) known.add(payer.code)
        return sound.save({ ...input, payers: fresh })
      }
    }
  })
}

/** As for what is found. */
export const changesMutants = {
  "tells changes oldest first": changes((sound) => ({
    changes: (query) =>
      Effect.map(sound.changes(query), (page) => ({ ...page, changes: page.changes.toReversed() }))
  })),
  "leaves out the change at the very time": changes((sound) => ({
    changes: (query) =>
      Effect.map(sound.changes(query), (page) => ({
        ...page,
        changes: page.changes.filter((change) => change.changedAt !== query.since)
      }))
  })),
  "forgets the kind of policy": changes((sound) => ({
    changes: (query) => sound.changes({ ...query, policyType: null })
  })),
  "gives the last of a page again": changes((sound) => ({
    changes: (query) => sound.changes({ ...query, before: query.before === null ? null : query.before + 1 })
  })),
  "offers no page after the first": changes((sound) => ({
    changes: (query) => Effect.map(sound.changes(query), (page) => ({ ...page, next: null }))
  })),
  "calls every change an update": changes((sound) => ({
    changes: (query) =>
      Effect.map(sound.changes(query), (page) => ({
        ...page,
        changes: page.changes.map((change) => ({ ...change, changeType: "updated" }))
      }))
  }))
}

/** As for what is found. */
export const claimEditsMutants = {
  "takes the last day for the first without": claimEdits((sound) => ({
    among: (query) =>
      Effect.map(sound.among(query), (edits) => ({
        ...edits,
        pairs: edits.pairs.filter((pair) => pair.deletionDate !== query.date)
      }))
  })),
  "reads the tables of another day": claimEdits((sound) => ({
    among: (query) => sound.among({ ...query, date: day("2024-01-01") })
  })),
  "answers in the order of the columns": claimEdits((sound) => ({
    among: (query) =>
      Effect.map(sound.among(query), (edits) => ({
        ...edits,
        pairs: edits.pairs.toSorted((a, b) => (a.column1 < b.column1 ? -1 : 1))
      }))
  })),
  "keeps the units of a table that was replaced": claimEdits((sound) => ({
    among: (query) =>
      Effect.gen(function* () {
        const now = yield* sound.among(query)
        const before = yield* sound.among({ ...query, date: day("2022-01-01") })
        return { ...now, units: now.units.length === 0 ? now.units : [...before.units, ...now.units] }
      })
  })),
  "keeps what was said of an edit first": snapshots((sound) => {
    const known = new Set<string>()
    const nameOf = (edit: { readonly column1: string; readonly column2: string; readonly service: string }) =>
      `${edit.column1} ${edit.column2} ${edit.service}`
    return {
      save: (input) => {
        if (input._tag !== "Edits") return sound.save(input)
        const pairs = input.pairs.filter((edit) => !known.has(nameOf(edit)))
        for (const edit of pairs) known.add(nameOf(edit))
        return sound.save({ ...input, pairs })
      }
    }
  })
}

/** As for what is found. */
export const ncdCodesMutants = {
  "lets a shipped list replace the operator's": ncdCodes((sound) => ({
    save: ({ rows }) => sound.save({ origin: "shipped", rows })
  })),
  "keeps what an older shipped list said": ncdCodes((sound) => ({
    save: ({ rows }) => sound.save({ origin: "imported", rows })
  })),
  "counts the rows it was given": ncdCodes((sound) => ({
    save: (list) => Effect.as(sound.save(list), { written: list.rows.length })
  })),
  "lists rows backwards": ncdCodes((sound) => ({
    among: (query) => Effect.map(sound.among(query), (rows) => rows.toReversed())
  })),
  "gives rows of other codes": ncdCodes((sound) => ({
    among: () => sound.among({ codes: ["E0601", "E0470", "L8000", "G0283"] })
  }))
}

/** As for what is found. */
export const priorAuthListsMutants = {
  "finds the rules of no code beside the first": priorAuthLists((sound) => ({
    among: ({ codes }) => sound.among({ codes: codes.slice(0, 1) })
  })),
  "adds a list to the one before": priorAuthLists((sound) => {
    const rows = new Map<string, Parameters<ListsVerbs["save"]>[0]["contents"]["rows"]>()
    return {
      save: ({ contents, snapshotId }) => {
        const all = [...(rows.get(contents.program) ?? []), ...contents.rows]
        rows.set(contents.program, all)
        return sound.save({ snapshotId, contents: { ...contents, rows: all } })
      }
    }
  }),
  "knows a list only by its day": priorAuthLists((sound) => ({
    save: (input) => sound.save({ ...input, snapshotId: input.contents.listAsOf })
  })),
  "writes the same file again": priorAuthLists((sound) => {
    let count = 0
    return { save: (input) => sound.save({ ...input, snapshotId: `${input.snapshotId} ${count++}` }) }
  }),
  "reads before it writes": priorAuthLists((sound) => {
    const kept = new Map<string, string>()
    return {
      save: Effect.fnUntraced(function* (input) {
        const { listAsOf, program } = input.contents
        if ((kept.get(program) ?? "") > listAsOf) return yield* sound.save(input)
        yield* Effect.yieldNow
        kept.set(program, listAsOf)
        const later = "9999-12-31" as typeof listAsOf
        yield* sound.save({ ...input, contents: { ...input.contents, listAsOf: later } })
        return { _tag: "Saved" as const }
      })
    }
  })
}
