import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readPriorAuth } from "../../adapters/cms/readPriorAuth.ts"
import { keepShippedLists, listsFolder } from "../../apps/lists/shippedLists.ts"
import { importPriorAuth } from "../../core/import/importPriorAuth.ts"
import { PriorAuthLists } from "../../core/port/PriorAuthLists.ts"
import type { Fault } from "../kit/editFiles.ts"
import { changeLine, textOf, writeEditFile } from "../kit/editFiles.ts"
import { libraries } from "../kit/libraries.ts"

const equipment = join(listsFolder, "prior-auth/DMEPOS.csv")

const header = "program,code,effective_date,end_date,states,sites,exemption,source_url,list_as_of"
const source = "https://example.org/list"
const row = (code: string, asOf: string) => `DMEPOS,${code},2020-01-01,,ALL,ALL,,${source},${asOf}`
const file = (asOf: string, ...codes: ReadonlyArray<string>) =>
  writeEditFile("DMEPOS.csv", [header, ...codes.map((code) => row(code, asOf)), ""].join("\n"))

describe("a prior authorization list as CSV (coverage-domain §2.1, rule 11)", () => {
  it.live("is read with its days, states, sites and exemption, from line breaks of any kind", () =>
    Effect.gen(function* () {
      const path = yield* writeEditFile(
        "list.csv",
        `\uFEFF${header}\r\nX-1,K0856,2020-01-01,2020-12-31,TX|CA,office|asc,"one, or «two»",` +
          `${source},2026-01-02\r\n\r\n`
      )
      const { contents, snapshotId } = yield* readPriorAuth(path)
      expect(snapshotId).toMatch(/^[0-9a-f]{64}$/)
      expect(contents).toEqual({
        program: "X-1",
        listAsOf: "2026-01-02",
        sourceUrl: source,
        rows: [
          {
            code: "K0856",
            effectiveDate: "2020-01-01",
            endDate: "2020-12-31",
            states: ["CA", "TX"],
            sites: ["asc", "office"],
            exemption: "one, or «two»",
            sourceUrl: source
          }
        ]
      })
    }).pipe(Effect.scoped)
  )

  const faults: ReadonlyArray<Fault> = [
    [
      "other columns",
      1,
      (line) => line.replace("sites", "site"),
      "its first line is not the columns program"
    ],
    ["a cell too many", 3, (line) => `${line},`, "it has 10 cells, not 9"],
    ["a payer's name", 2, (line) => line.replace("DMEPOS", "Payer"), "its program is no name of a list"],
    ["two programs", 3, (line) => line.replace("DMEPOS", "OPD"), "its program is not that of the first row"],
    ["a code that is none", 4, (line) => line.replace("E0277", "E277"), "its code is no procedure code"],
    [
      "a day that is none",
      3,
      (line) => line.replace("2019-10-21", "2019-02-30"),
      "its effective_date is no day"
    ],
    ["an end that is none", 2, (line) => line.replace("2019-10-20", "soon"), "its end_date is neither"],
    ["an end too early", 2, (line) => line.replace("2019-10-20", "2019-07-21"), "its end_date lies before"],
    ["a state that is none", 2, (line) => line.replace("CA|", "XX|"), "its states are neither ALL"],
    ["no state", 2, (line) => line.replace("CA|IN|NC|NJ", ""), "its states are neither ALL"],
    [
      "a site that is none",
      3,
      (line) => line.replace("ALL,ALL", "ALL,hospital"),
      "its sites are neither ALL"
    ],
    ["no source", 3, (line) => line.replace(/https[^,]+/, ""), "its source_url is no address"],
    ["no list day", 2, (line) => line.replace("2026-04-13", ""), "its list_as_of is no day"],
    ["two list days", 3, (line) => line.replace("2026-04-13", "2026-04-14"), "its list_as_of is not that of"],
    [
      "a long exemption",
      3,
      (line) => line.replace(",,https", `,${"x".repeat(301)},https`),
      "its exemption is"
    ],
    ["a quote that is never closed", 3, (line) => line.replace(",ALL", ',"ALL'), "a quoted cell is never"],
    ["a row twice", 3, (line) => `${line}\n${line}`, "the same row stands in the list before"]
  ]
  it.live.each(faults)("with %s is refused, with its line", ([, line, change, reason]) =>
    Effect.gen(function* () {
      const path = yield* changeLine(equipment, line, change)
      const fault = yield* Effect.flip(readPriorAuth(path))
      expect(fault.file).toBe("DMEPOS.csv")
      expect([fault.line, fault.reason.slice(0, reason.length)]).toEqual([
        reason.startsWith("the same row") ? line + 1 : line,
        reason
      ])
    }).pipe(Effect.scoped)
  )

  it.live("without a row, of other bytes than UTF-8, or absent is refused as a whole", () =>
    Effect.gen(function* () {
      const bytes = Buffer.from(
        `${header}\n${row("K0856", "2026-01-01").replace(",,h", ",\u00e9,h")}`,
        "latin1"
      )
      for (const [content, reason] of [
        [header, "no row follows its columns"],
        ["", "its first line is not the columns"],
        [bytes, "it is no UTF-8 text"]
      ] as const) {
        const fault = yield* Effect.flip(readPriorAuth(yield* writeEditFile("list.csv", content)))
        expect([fault.line, fault.reason.slice(0, reason.length)]).toEqual([null, reason])
      }
      expect((yield* Effect.flip(readPriorAuth("/nowhere/list.csv"))).reason).toContain("no such file")
    }).pipe(Effect.scoped)
  )
})

describe("the column with_codes of a prior authorization list", () => {
  it.live("names the codes beside which a code is listed, in a last column", () =>
    Effect.gen(function* () {
      const listed = (...cells: ReadonlyArray<string>) =>
        writeEditFile("list.csv", [`${header},with_codes`, ...cells].join("\n"))
      const first = row("K0856", "2026-01-02")
      const path = yield* listed(`${first},K0002|K0001|K0002`, `${first.replace("K0856", "K0857")},`)
      expect((yield* readPriorAuth(path)).contents.rows.map((each) => each.withCodes)).toEqual([
        ["K0001", "K0002"],
        undefined
      ])
      const twice = yield* listed(`${first},K0001`, `${first},K0002`)
      expect((yield* readPriorAuth(twice)).contents.rows).toHaveLength(2)
      for (const [cell, reason] of [
        ["K0001;K0002", "its with_codes are neither empty nor procedure codes joined by |"],
        ["ALL", "its with_codes are neither empty nor procedure codes joined by |"],
        ["K0856", "its with_codes contain its own code"]
      ] as const) {
        const fault = yield* Effect.flip(readPriorAuth(yield* listed(`${first},${cell}`)))
        expect([fault.line, fault.reason]).toEqual([2, reason])
      }
      expect((yield* Effect.flip(readPriorAuth(yield* listed(first)))).reason).toBe("it has 9 cells, not 10")
      const wider = yield* writeEditFile("list.csv", `${header},with_codes,more\n`)
      expect((yield* Effect.flip(readPriorAuth(wider))).reason).toMatch(/^its first line is not the columns/)
    }).pipe(Effect.scoped)
  )
})

const kept = Effect.flatMap(PriorAuthLists, ({ among }) =>
  Effect.map(among({ codes: ["K0856", "K0001", "E0193"] }), ({ lists, rules }) => ({
    day: lists.find((list) => list.program === "DMEPOS")?.listAsOf,
    codes: [...new Set(rules.flatMap((rule) => rule.codes))],
    programs: lists.map((list) => list.program)
  }))
)

const imported = (asOf: string, ...codes: ReadonlyArray<string>) =>
  file(asOf, ...codes).pipe(Effect.flatMap(readPriorAuth), Effect.flatMap(importPriorAuth))

for (const [name, library] of libraries) {
  describe(`importing prior authorization lists into ${name} (contract §4)`, () => {
    it.live("a list replaces its program's whole, unless one of a later day is kept", () =>
      Effect.gen(function* () {
        expect(yield* imported("2026-01-01", "K0856", "K0001")).toMatchObject({ codes: 2, unchanged: false })
        expect(yield* imported("2026-01-01", "K0856", "K0001")).toMatchObject({ codes: 0, unchanged: true })
        expect(yield* imported("2026-01-01", "K0001")).toMatchObject({ codes: 1, unchanged: false })
        expect(yield* Effect.flip(imported("2025-12-31", "K0856"))).toMatchObject({
          _tag: "SnapshotOlder",
          sourceAsOf: "2025-12-31",
          knownAsOf: "2026-01-01"
        })
        expect(yield* kept).toMatchObject({ day: "2026-01-01", codes: ["K0001"] })
      }).pipe(Effect.scoped, Effect.provide(library))
    )

    it.live("the shipped lists are kept by processes that start together, and again at no cost", () =>
      Effect.gen(function* () {
        yield* Effect.all([keepShippedLists, keepShippedLists, keepShippedLists], {
          concurrency: "unbounded"
        })
        const first = yield* kept
        expect(first.programs).toEqual(["ASC", "DMEPOS", "OPD", "RSNAT", "WISeR"])
        expect(first.codes).toEqual(["E0193", "K0856"])
        yield* keepShippedLists
        expect(yield* kept).toEqual(first)
        const again = yield* Effect.flatMap(readPriorAuth(equipment), importPriorAuth)
        expect(again).toMatchObject({ unchanged: true })
      }).pipe(Effect.provide(library))
    )

    it.live("a shipped list replaces the same list from before it had with_codes, and no edited one", () =>
      Effect.gen(function* () {
        const outpatient = yield* textOf(join(listsFolder, "prior-auth/OPD.csv"))
        const before = outpatient.replace(/,[^,\n]*$/gm, "")
        const toxin = Effect.flatMap(PriorAuthLists, ({ among }) =>
          Effect.map(among({ codes: ["J0585"] }), ({ rules }) =>
            rules.filter((rule) => rule.program === "OPD").map((rule) => [rule.withCodes, rule.exemption])
          )
        )
        const importing = (text: string) =>
          writeEditFile("OPD.csv", text).pipe(Effect.flatMap(readPriorAuth), Effect.flatMap(importPriorAuth))
        yield* importing(before)
        expect((yield* toxin)[0]?.[0]).toBeUndefined()
        yield* keepShippedLists
        expect((yield* toxin)[0]?.[0]).toEqual(["64612", "64615"])
        yield* importing(before.replace(/^(OPD,J0585,.*,outpatient_hospital,)[^,]*,/m, "$1ours,"))
        yield* keepShippedLists
        expect(yield* toxin).toEqual([[undefined, "ours"]])
      }).pipe(Effect.scoped, Effect.provide(library))
    )

    it.live("a shipped list replaces an older one, and none that is as new or newer", () =>
      Effect.gen(function* () {
        yield* imported("2020-01-01", "K0001")
        yield* keepShippedLists
        expect(yield* kept).toMatchObject({ day: "2026-04-13", codes: ["E0193", "K0856"] })
        for (const asOf of ["2026-04-13", "2026-04-14"]) {
          yield* imported(asOf, "K0001")
          yield* keepShippedLists
          expect(yield* kept).toMatchObject({ day: asOf, codes: ["K0001"] })
        }
      }).pipe(Effect.scoped, Effect.provide(library))
    )
  })
}

it.live("the file of each program is named by it", () =>
  Effect.gen(function* () {
    for (const program of ["ASC", "DMEPOS", "OPD", "RSNAT", "WISeR"])
      expect(yield* textOf(join(listsFolder, `prior-auth/${program}.csv`))).toContain(`\n${program},`)
  })
)
