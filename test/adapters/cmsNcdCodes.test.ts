import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readNcdCodes } from "../../adapters/cms/readNcdCodes.ts"
import { NcdCodes } from "../../core/port/NcdCodes.ts"
import { importNcdCodes } from "../../core/import/importNcdCodes.ts"
import { writeEditFile } from "../kit/editFiles.ts"
import { memoryLibrary } from "../kit/oracle.ts"

const header = "policy_id,code,role,source,source_url"
const read = (...lines: ReadonlyArray<string>) =>
  Effect.flatMap(writeEditFile("codes.csv", lines.join("\n")), readNcdCodes)
const rowsOf = (...lines: ReadonlyArray<string>) =>
  Effect.map(read(header, ...lines), ({ rows }) => rows.map((row) => Object.values(row).join("|")))

describe("a list of NCD codes (coverage-domain §2.1, rule 4)", () => {
  it.live("gives ids and codes as they are kept, and folds rows into the last of their kind", () =>
    Effect.gen(function* () {
      const rows = rowsOf(
        'ncd20.32, 33361 ,names,"Chapter 32, section 290",https://www.cms.gov/a.pdf\r',
        "",
        "190.6,p2031,denies,Older,",
        "NCD 190.6,P2031,denies,Newer,"
      )
      expect(yield* rows).toEqual([
        "NCD 20.32|33361|names|Chapter 32, section 290|https://www.cms.gov/a.pdf",
        "NCD 190.6|P2031|denies|Newer|"
      ])
    })
  )

  it.live("a quote that is never closed is told by the line where it opens, not where the file ends", () =>
    Effect.gen(function* () {
      const good = 'NCD 1.1,E0601,names,"A ""source"" of\ntwo lines",'
      const open = 'NCD 1.1,E0470,names,"A source,'
      expect(yield* Effect.flip(read(header, good, open, good.replaceAll('"', ""), ""))).toMatchObject({
        file: "codes.csv",
        line: 4,
        reason: "a quoted cell is never closed: the file is cut short or a quote is missing"
      })
    })
  )

  const faults: ReadonlyArray<readonly [says: string, row: string, reason: string]> = [
    ["a cell too few", "NCD 1.1,E0601,names,A source", "a row has 5 cells, this one 4"],
    ["an id of another kind", "L33718,E0601,names,A source,", "its policy_id is no NCD, such as NCD 20.32"],
    ["a code that is none", "NCD 1.1,E060,names,A source,", "its code is no procedure code"],
    ["a diagnosis", "NCD 1.1,M54.16,names,A source,", "its code is no procedure code"],
    ["a role that is none", "NCD 1.1,E0601,covers,A source,", "its role is neither names nor denies"],
    ["no source", "NCD 1.1,E0601,names, ,", "its source is not a text of 1 to 300 characters on one line"],
    [
      "an address that is none",
      "NCD 1.1,E0601,names,A source,javascript:1",
      "its source_url is no address on the web"
    ],
    [
      "both roles for one code",
      "NCD 9.9,E0470,denies,A source,",
      "its determination and code stand in the list before, in the other role"
    ]
  ]
  for (const [says, row, reason] of faults) {
    it.live(`with ${says} is refused, by file and line`, () =>
      Effect.gen(function* () {
        const first = 'NCD 9.9,E0470,names,"A source",'
        expect(yield* Effect.flip(read(header, first, row))).toMatchObject({
          file: "codes.csv",
          line: 3,
          reason
        })
      })
    )
  }

  it.live("without its header, without rows or in another encoding is refused as a whole", () =>
    Effect.gen(function* () {
      const row = "NCD 1.1,E0601,names,A source,"
      expect((yield* Effect.flip(read(row))).reason).toBe(`its header is not ${header}`)
      expect((yield* Effect.flip(read(header))).reason).toMatch(/^no row of it/)
      const latin = yield* writeEditFile(
        "codes.csv",
        Buffer.from(`${header}\nNCD 1.1,E0601,names,\u00a7 1,`, "latin1")
      )
      expect((yield* Effect.flip(readNcdCodes(latin))).reason).toBe("it is not UTF-8")
      const absent = yield* Effect.flip(readNcdCodes("/nowhere/codes.csv"))
      expect(absent.reason).toBe("there is no such file or folder")
    })
  )

  it.live("contract §4 adds to the shipped rows, and a second time is unchanged", () =>
    Effect.gen(function* () {
      const ncdCodes = yield* NcdCodes
      const [shipped] = (yield* read(header, "NCD 1.1,E0601,names,Shipped,")).rows
      if (shipped === undefined) throw new Error("no row")
      yield* ncdCodes.save({ origin: "shipped", rows: [shipped] })
      const source = yield* read(header, "NCD 1.1,E0601,names,Own,", "NCD 1.2,E0601,names,Own,")
      const first = yield* importNcdCodes(source)
      expect(first).toMatchObject({ snapshot: source.snapshotId, codes: 2, unchanged: false })
      expect(yield* importNcdCodes(source)).toMatchObject({ codes: 0, unchanged: true })
      const rows = yield* ncdCodes.among({ codes: ["E0601"] })
      expect(rows.map((row) => `${row.policyId} ${row.source}`)).toEqual(["NCD 1.1 Own", "NCD 1.2 Own"])
    }).pipe(Effect.provide(Layer.fresh(memoryLibrary)))
  )
})
