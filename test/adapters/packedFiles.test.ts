import { readFile, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { CmsFileMalformed } from "../../adapters/cms/CmsFileMalformed.ts"
import { fileNameIn } from "../../adapters/cms/packedFile.ts"
import { readHcpcs } from "../../adapters/cms/readHcpcs.ts"
import { readIcd10cm } from "../../adapters/cms/readIcd10cm.ts"
import { readMcd } from "../../adapters/cms/readMcd.ts"
import { readMue } from "../../adapters/cms/readMue.ts"
import { readNcci } from "../../adapters/cms/readNcci.ts"
import { readNcdCodes } from "../../adapters/cms/readNcdCodes.ts"
import { readPfs } from "../../adapters/cms/readPfs.ts"
import { readPriorAuth } from "../../adapters/cms/readPriorAuth.ts"
import { contentsAt, fixture, folder, tablesOf } from "../kit/cmsFixtures.ts"
import { all, pairsFile, unitsFile } from "../kit/editFiles.ts"
import { zipOf } from "../kit/zipOf.ts"

type Reading = Effect.Effect<object, CmsFileMalformed>

interface Import {
  readonly file: string
  /** The name that CMS gives the file in its zip. */
  readonly member: string
  /** Other files of such a zip. */
  readonly beside: ReadonlyArray<string>
  readonly take: string
  readonly read: (path: string) => Reading
}

const imports: Readonly<Record<string, Import>> = {
  hcpcs: {
    file: fixture("codes/hcpcs.txt"),
    member: "HCPC2017_CONTR_ANWEB.txt",
    beside: ["HCPC2017_recordlayout.txt", "HCPC2017_ANWEB_Trans.txt", "proc_notes.txt", "NOC codes.xlsx"],
    take: "HCPC2026_JAN_ANWEB.txt",
    read: (path) => Effect.flatMap(readHcpcs(path), (one) => one.read)
  },
  icd10cm: {
    file: fixture("codes/icd10cm-order-Jan-2021.txt"),
    member: "Code Descriptions/icd10cm-order-Jan-2021.txt",
    beside: ["icd10cm-codes-Jan-2021.txt", "icd10cm-order-addenda-Jan-2021.txt"],
    take: "icd10cm-order-2026.txt",
    read: (path) => Effect.flatMap(readIcd10cm(path), (one) => one.read)
  },
  pfs: {
    file: fixture("pfs/PPRRVU2026_Jan.csv"),
    member: "PPRRVU2026_Jan_nonQPP.csv",
    beside: ["PPRRVU2026_Jan_QPP.csv", "PPRRVU2026_Jan_nonQPP.xlsx", "GPCI2026.csv"],
    take: "PPRRVU2026_Jan_nonQPP.csv",
    read: (path) => Effect.flatMap(readPfs(path), (one) => one.read)
  },
  ncci: {
    file: pairsFile,
    member: basename(pairsFile),
    beside: ["ccipra-v321r0-f1.xlsx"],
    take: "ccipra-v321r0-f1.txt",
    read: (path) => Effect.flatMap(readNcci(path, "practitioner"), all)
  },
  mue: {
    file: unitsFile,
    member: basename(unitsFile),
    beside: ["MCR_MUE_PractitionerServices_Eff_01-01-2026.txt", "readme.txt"],
    take: "MCR_MUE_PractitionerServices_Eff_01-01-2026.csv",
    read: (path) => Effect.flatMap(readMue(path, "practitioner"), all)
  }
}

const noise = Buffer.from("other bytes")

const zipAt = Effect.fnUntraced(function* (entries: ReadonlyArray<readonly [string, Uint8Array]>) {
  const path = join(yield* folder, "download.zip")
  yield* Effect.promise(() => writeFile(path, zipOf(entries)))
  return path
})

const reasonOf = (reading: Reading) => Effect.map(Effect.flip(reading), ({ reason }) => reason)

describe.each(Object.entries(imports))("import %s of a zip as CMS publishes it", (_, source) => {
  it.live("reads the one file of its kind, whatever lies beside it", () =>
    Effect.gen(function* () {
      const bytes = yield* Effect.promise(() => readFile(source.file))
      const path = yield* zipAt([
        [`__MACOSX/._${basename(source.member)}`, noise],
        [`__MACOSX/${source.member}`, noise],
        [`._${basename(source.member)}`, noise],
        ...source.beside.map((name) => [name, noise] as const),
        [source.member, bytes]
      ])
      const alone = join(yield* folder, basename(source.member))
      yield* Effect.promise(() => writeFile(alone, bytes))
      const [zipped, plain] = [yield* source.read(path), yield* source.read(alone)]
      expect({ ...zipped, batches: null }).toEqual({ ...plain, batches: null })
    })
  )

  it.live("names the files of a zip with several, and the one to take where there is none", () =>
    Effect.gen(function* () {
      const other = source.member.replace(/(\.[a-z]+)$/, "-f2$1")
      const several = yield* zipAt([
        [source.member, noise],
        [other, noise]
      ])
      expect(yield* reasonOf(source.read(several))).toBe(
        "the zip contains several files to import: unpack it and import " +
          `${[source.member, other]
            .map((name) => basename(name))
            .toSorted()
            .join(", ")} one by one`
      )
      const none = yield* zipAt([["readme_first.txt", noise]])
      const reason = yield* reasonOf(source.read(none))
      expect(reason).toContain(`the zip contains no file to import: take the`)
      expect(reason).toContain(source.take)
    })
  )

  it.live("refuses a spreadsheet with the file to take instead", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const xlsx = zipOf([
        ["[Content_Types].xml", noise],
        ["xl/workbook.xml", noise]
      ])
      for (const bytes of [xlsx, Buffer.from("d0cf11e0a1b11ae1", "hex")]) {
        yield* Effect.promise(() => writeFile(join(path, "table.xlsx"), bytes))
        const reason = yield* reasonOf(source.read(join(path, "table.xlsx")))
        expect(reason).toContain("it is a spreadsheet: take the")
        expect(reason).toContain(`${source.take}, of the same download`)
      }
    })
  )
})

describe("a file beside the one to import", () => {
  it.live("of ICD-10-CM, addenda or codes, is refused with the order file to take", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const take = "take the order file, such as icd10cm-order-2026.txt, of the same download"
      for (const [name, line, what] of [
        ["icd10cm-order-addenda-2026.txt", "", "an addenda file, which lists only changes"],
        ["changes-2026.txt", "Add:      00012 A0010   1 Text", "an addenda file, which lists only changes"],
        ["icd10cm-codes-2026.txt", "A000    Cholera", "a codes file, without order numbers and headers"]
      ] as const) {
        yield* Effect.promise(() => writeFile(join(path, name), `${line}\n`))
        const fault = yield* Effect.flip(Effect.flatMap(readIcd10cm(join(path, name)), (one) => one.read))
        expect(fault).toMatchObject({ file: name, line: 1, reason: `it is ${what}: ${take}` })
      }
    })
  )

  it.live("in the formats of a spreadsheet is refused by the imports of lists", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "list.xlsx")
      yield* Effect.promise(() => writeFile(path, zipOf([["[Content_Types].xml", noise]])))
      const readers: ReadonlyArray<(path: string) => Reading> = [readPriorAuth, readNcdCodes]
      for (const read of readers) {
        expect((yield* Effect.flip(read(path))).reason).toBe(
          "it is a spreadsheet or a zip: save it as CSV in UTF-8"
        )
      }
    })
  )

  it.live("that macOS adds to a download of the coverage database is left out", () =>
    Effect.gen(function* () {
      const tables = yield* Effect.promise(() => tablesOf("mcd"))
      const hidden = tables.flatMap(([name]) => [
        [`__MACOSX/._${name}`, noise] as const,
        [`._${name}`, noise] as const
      ])
      const path = yield* zipAt([...hidden, ...tables])
      const plain = yield* contentsAt(fixture("mcd"))
      expect((yield* contentsAt(path)).snapshot).toEqual(plain.snapshot)
    })
  )

  it.live("of no table of the coverage database is refused with what to take", () =>
    Effect.gen(function* () {
      const path = yield* zipAt([["readme_first.txt", noise]])
      const fault = yield* Effect.flip(Effect.scoped(readMcd(path)))
      expect(fault.reason).toMatch(/; take the zip of CSV tables that CMS publishes/)
    })
  )
})

describe("the service of a zip of edits", () => {
  it.live("is read from the file in it where the zip's own name does not state it", () =>
    Effect.gen(function* () {
      const path = yield* zipAt([[basename(pairsFile), noise]])
      expect(yield* fileNameIn(path, "ncci")).toBe(basename(pairsFile))
      expect((yield* Effect.flip(fileNameIn("/nowhere/x.zip", "ncci"))).reason).toContain("no such file")
    })
  )
})
