import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readMcd } from "../../adapters/cms/readMcd.ts"
import type { Edits } from "../kit/cmsFixtures.ts"
import { contentsAt, editedFixture, fixture, folder, newestOf, tablesOf } from "../kit/cmsFixtures.ts"
import { zipOf } from "../kit/zipOf.ts"

const snapshotAt = (path: string) => Effect.scoped(Effect.map(readMcd(path), (source) => source.snapshotId))

/** What is wrong with the fixture once it is edited so. */
const faultOf = (edits: Edits) =>
  Effect.gen(function* () {
    const { file, line, reason } = yield* Effect.flip(contentsAt(yield* editedFixture("mcd", edits)))
    return { file, line, reason }
  })

const row =
  (line: number, change: (row: string) => string) =>
  (text: string): string =>
    text
      .split("\n")
      .map((each, index) => (index === line - 1 ? change(each) : each))
      .join("\n")

const noDay = (column: string) =>
  `${column} is no date: it holds a day that the calendar does not have, not YYYY-MM-DD or M/D/YYYY`

/** A name, the edits that spoil the fixture, and what is said of it. */
const faults: ReadonlyArray<readonly [string, Edits, { file: string; line: number | null; reason: string }]> =
  [
    [
      "a missing column",
      { lcd_x_hcpc_code: row(1, (header) => header.replace("hcpc_code_group", "group")) },
      { file: "lcd_x_hcpc_code.csv", line: 1, reason: "the column hcpc_code_group is missing" }
    ],
    [
      "two missing columns",
      { article: row(1, (header) => header.replace("title", "name").replace("status", "state")) },
      { file: "article.csv", line: 1, reason: "the columns title, status are missing" }
    ],
    [
      "a row with too few cells",
      { lcd_x_contractor: row(3, (line) => line.split(",").slice(1).join(",")) },
      { file: "lcd_x_contractor.csv", line: 3, reason: "it has 5 cells, not 6" }
    ],
    [
      "an id that is no number",
      { lcd_x_contractor: row(4, (line) => line.replace("90001", "L90001")) },
      { file: "lcd_x_contractor.csv", line: 4, reason: "lcd_id and lcd_version must be numbers" }
    ],
    [
      "a date that is none",
      { lcd_future_retire: row(2, (line) => line.replace("2027-01-31", "2027-02-30")) },
      { file: "lcd_future_retire.csv", line: 2, reason: noDay("retire_dt") }
    ],
    [
      "a status of an LCD that is none",
      { lcd: (text) => text.replace(",A,", ",Z,") },
      { file: "lcd.csv", line: 2, reason: "status is neither A nor R nor P" }
    ],
    [
      "a status of an Article that is none",
      { article: (text) => text.replace(",A,", ",Z,") },
      { file: "article.csv", line: 2, reason: "status is neither A nor R nor P" }
    ],
    [
      "a section of no manual",
      { ncd_trkg: row(2, (line) => line.replace("270.90", "wounds")) },
      { file: "ncd_trkg.csv", line: 2, reason: "NCD_mnl_sect is no section of the manual" }
    ],
    [
      "a version that stands twice",
      { ncd_trkg: (text) => `${text}${text.split("\n")[1]}\n` },
      { file: "ncd_trkg.csv", line: 9, reason: "this version of the NCD stands twice" }
    ],
    [
      "a quote inside a cell that is not quoted",
      { state_lookup: row(3, (line) => line.replace("Colorado", 'Colo"rado')) },
      { file: "state_lookup.csv", line: 3, reason: "a quote stands inside a cell that is not quoted" }
    ],
    [
      "an empty table",
      { contractor: () => "" },
      { file: "contractor.csv", line: null, reason: "it is empty" }
    ],
    [
      "a table that local documents need",
      { state_lookup: null },
      {
        file: "state_lookup.csv",
        line: null,
        reason: "it is missing: without it nobody can say where local documents apply"
      }
    ],
    [
      "a code that is empty",
      { article_x_icd10_covered: row(2, (line) => line.replace("M54.16", "")) },
      { file: "article_x_icd10_covered.csv", line: 2, reason: "icd10_code_id is empty" }
    ],
    [
      "a table that is never read, cut short",
      { contractor_type_lookup: (text) => `${text}13` },
      { file: "contractor_type_lookup.csv", line: 7, reason: "it has 1 cells, not 2" }
    ]
  ]

describe("a malformed download is refused before anything is kept, by file, line and reason", () => {
  for (const [name, edits, expected] of faults) {
    it.live(name, () =>
      Effect.gen(function* () {
        expect(yield* faultOf(edits)).toEqual(expected)
      })
    )
  }

  it.live("a file cut short inside a quoted cell", () =>
    Effect.gen(function* () {
      const { file, line, reason } = yield* faultOf({
        lcd: (text) => text.slice(0, text.indexOf("no relief from"))
      })
      expect([file, line, reason]).toEqual([
        "lcd.csv",
        2,
        "a quoted cell is never closed: the file is cut short or a quote is missing"
      ])
    })
  )

  it.live("a quote that is missing, by the line where its cell begins", () =>
    Effect.gen(function* () {
      const unclosed = yield* faultOf({
        state_lookup: row(3, (line) => line.replace("Colorado", '"Colorado'))
      })
      expect([unclosed.file, unclosed.line]).toEqual(["state_lookup.csv", 3])
      const later = (line: number, text: string) => row(line, (each) => each.replace(/,[^,]*$/, `,"${text}`))
      const broken = yield* faultOf({
        state_lookup: (text) => later(5, 'b"')(later(3, "a")(text))
      })
      expect(broken).toMatchObject({
        line: 3,
        reason: expect.stringMatching(/^a quoted cell is followed by/)
      })
    })
  )

  it.live(
    "the line is the one on which the row begins, whatever cells of many lines it and others have",
    () =>
      Effect.gen(function* () {
        const reason = "lcd_id and lcd_version must be numbers"
        for (const [id, line] of [
          ["90001,12", 2],
          ["90002,6", 7],
          ["90003,31", 8]
        ] as const) {
          const broken = yield* faultOf({ lcd: (text) => text.replace(`${id},`, `${id}x,`) })
          expect(broken).toEqual({ file: "lcd.csv", line, reason })
        }
      })
  )

  it.live("a reason repeats nothing of what the file holds", () =>
    Effect.gen(function* () {
      const { reason } = yield* faultOf({ article: (text) => text.replace("2025-01-01 00:00:00", "secret") })
      expect(reason).toBe("article_eff_date is no date: it holds a text, not YYYY-MM-DD or M/D/YYYY")
    })
  )

  it.live("a place where nothing is", () =>
    Effect.gen(function* () {
      const missing = yield* Effect.flip(snapshotAt(fixture("nowhere")))
      expect(missing).toMatchObject({
        file: "nowhere",
        line: null,
        reason: "there is no such file or folder"
      })
      const other = yield* Effect.flip(snapshotAt(fixture("codes")))
      expect(other.reason).toMatch(/^it holds no table of the Medicare Coverage Database/)
    })
  )

  it.live("an archive that is none, or is damaged", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const zip = join(path, "mcd.zip")
      yield* Effect.promise(() => writeFile(zip, "PK but no zip"))
      expect((yield* Effect.flip(snapshotAt(zip))).file).toBe("mcd.zip")
    })
  )
})

describe("a snapshot is named by its names and bytes", () => {
  const zipped = (make: (tables: ReadonlyArray<readonly [string, Buffer]>) => Buffer) =>
    Effect.gen(function* () {
      const path = join(yield* folder, "all.zip")
      yield* Effect.promise(async () => writeFile(path, make(await tablesOf("mcd"))))
      return path
    })

  it.live("alike as a folder, a zip, or CMS's zip of zips with other files beside them", () =>
    Effect.gen(function* () {
      const id = yield* snapshotAt(fixture("mcd"))
      const flat = yield* zipped(zipOf)
      const isArticle = ([name]: readonly [string, Buffer]) => name.startsWith("article")
      const nested = yield* zipped((tables) =>
        zipOf([
          ["readme_first.txt", Buffer.from("read me")],
          ["current_lcd/current_lcd_csv.zip", zipOf(tables.filter((table) => !isArticle(table)))],
          [
            "current_article_csv.zip",
            zipOf(tables.filter((table) => isArticle(table) || table[0].startsWith("contractor")))
          ]
        ])
      )
      expect(yield* snapshotAt(flat)).toBe(id)
      expect(yield* snapshotAt(nested)).toBe(id)
      const [folderContents, zipContents] = [yield* contentsAt(fixture("mcd")), yield* contentsAt(nested)]
      expect([...newestOf(zipContents)]).toEqual([...newestOf(folderContents)])
    })
  )

  it.live("and another one after any change", () =>
    Effect.gen(function* () {
      const id = yield* snapshotAt(fixture("mcd"))
      const changed = yield* editedFixture("mcd", { lcd: (text) => text.replace("4 sessions", "5 sessions") })
      expect(yield* snapshotAt(changed)).not.toBe(id)
      expect(yield* snapshotAt(yield* editedFixture("mcd", { article: null }))).not.toBe(id)
    })
  )

  it.live("with two copies of a table that differ, it reads one and says which", () =>
    Effect.gen(function* () {
      const path = yield* zipped((tables) =>
        zipOf([
          ["b_lcd_csv.zip", zipOf(tables)],
          [
            "a_article_csv.zip",
            zipOf([["contractor_type_lookup.csv", Buffer.from("contractor_type_id,description\n1,x\n")]])
          ]
        ])
      )
      expect((yield* contentsAt(path)).gaps).toContain(
        "contractor_type_lookup.csv comes in copies that differ; the one in a_article_csv.zip was read."
      )
    })
  )
})
