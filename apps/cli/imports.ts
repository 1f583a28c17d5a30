import type { Stats } from "node:fs"
import { stat } from "node:fs/promises"
import { basename } from "node:path"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { CodeTableKind, Edition } from "../../core/coverage/CodeTable.ts"
import type { IsoDate } from "../../core/coverage/date.ts"
import type { EditTable } from "../../core/coverage/editTables.ts"
import type { ImportReport } from "../../core/import/ImportReport.ts"
import type { Answer } from "./Answer.ts"
import { Json } from "./Answer.ts"
import { refuse } from "./CommandRefused.ts"
import { overStores } from "./overStores.ts"
import type { Ports } from "./overStores.ts"
import { withoutProgress, withProgress } from "./progress.ts"
import { withThousands } from "./table.ts"

/**
 * What an import reads; a new source is a new row here. The readers are loaded only by a command that reads.
 */
export const sources = {
  mcd: {
    argument: "folder or zip",
    describes: "Import a download of the Medicare Coverage Database: its folder of CSV tables, or the zip",
    example: "import mcd ./current_lcd.zip"
  },
  hcpcs: {
    argument: "file, .gz or zip",
    describes: "Import an edition of HCPCS level II: the fixed-width contractor file, or CMS's zip of it",
    example: "import hcpcs ./HCPC2026_CONTR_ANWEB.txt"
  },
  icd10cm: {
    argument: "file, .gz or zip",
    describes: "Import an edition of ICD-10-CM: the order file, plain, gzipped or in CMS's zip",
    example: "import icd10cm ./icd10cm-order-2026.txt.gz"
  },
  pfs: {
    argument: "csv or zip",
    describes: "Import a Medicare physician fee schedule: the relative value file, or CMS's zip of it",
    example: "import pfs ./PPRRVU2026_Jan_nonQPP.csv"
  },
  policies: {
    argument: "ndjson",
    describes: "Import policies of payers: one JSON object a line, as docs/payer-policies.md says",
    example: "import policies ./northstar.ndjson"
  },
  "prior-auth": {
    argument: "csv",
    describes: "Import a program's prior authorization list: CSV, as docs/operating.md says",
    example: "import prior-auth ./DMEPOS.csv"
  },
  "ncd-codes": {
    argument: "csv",
    describes: "Import a list from NCDs to procedure codes: CSV, as apps/lists/README.md says",
    example: "import ncd-codes ./ncd-codes.csv"
  },
  ncci: {
    argument: "file, .gz or zip",
    describes:
      "Import NCCI procedure-to-procedure edits: the tab-separated text, plain, gzipped or in CMS's zip",
    example: "import ncci ./ccipra-v321r0-f1.txt"
  },
  mue: {
    argument: "file, .gz or zip",
    describes: "Import a table of medically unlikely edits: CSV or tab-separated text, or CMS's zip of it",
    example: "import mue ./MCR_MUE_PractitionerServices_Eff_01-01-2026.csv"
  }
} as const

/** The sources whose rows speak of one kind of service, which a file's name may say. */
export type EditSourceName = "ncci" | "mue"
/** The sources that are tables of codes, each of an edition. */
export type CodeSourceName = CodeTableKind
export type SourceName = Exclude<keyof typeof sources, EditSourceName | CodeSourceName>

/** `import mcd` and its like. The source is looked at before the stores are opened. */
export const importFrom = (source: SourceName, path: string) =>
  Effect.gen(function* () {
    yield* refuseIrregular(path)
    const show = (yield* Json) ? withoutProgress : withProgress
    return answerFor(yield* importers[source](path, show), nouns[source])
  })

/** `import hcpcs` and its like; the edition is the operator's word, else the year that the file says. */
export const importCodesFrom = (
  source: CodeSourceName,
  input: { readonly path: string; readonly edition: Edition | undefined }
) =>
  Effect.gen(function* () {
    yield* refuseIrregular(input.path)
    const show = (yield* Json) ? withoutProgress : withProgress
    return answerFor(yield* importCodes(source, input, show), "codes")
  })

/** `import ncci` and `import mue`; the service is the operator's word, else what the file's name says. */
export const importEditsFrom = (
  source: EditSourceName,
  input: { readonly path: string; readonly service: EditTable | null }
) =>
  Effect.gen(function* () {
    yield* refuseIrregular(input.path)
    const service = input.service ?? (yield* serviceIn(source, input.path))
    if (service === undefined) {
      return yield* refuse(
        "VALIDATION_REQUIRED_FIELD",
        "--service is missing, and the file's name does not say whose services the table speaks of."
      )
    }
    const show = (yield* Json) ? withoutProgress : withProgress
    return answerFor(yield* importEdits(source, { path: input.path, service }, show), "edits")
  })

/**
 * Refuses a pipe, a socket or a device, which could block the reader forever. A missing path and a folder
 * are left to the readers, which report them.
 */
const refuseIrregular = (path: string) =>
  Effect.gen(function* () {
    const found = yield* Effect.promise(() => stat(path).catch(() => undefined))
    if (found === undefined || found.isFile() || found.isDirectory()) return undefined
    return yield* refuse("IMPORT_MALFORMED", `${basename(path)}: it is ${kindOf(found)}, not a regular file.`)
  })

const kindOf = (found: Stats): string => {
  if (found.isFIFO()) return "a pipe"
  return found.isSocket() ? "a socket" : "a device"
}

/** The service in the name of the file, or of the file in a zip whose own name does not state it. */
const serviceIn = (source: EditSourceName, path: string) =>
  Effect.gen(function* () {
    const { serviceNamed } = yield* Effect.promise(() => import("../../adapters/cms/serviceNamed.ts"))
    const named = serviceNamed(basename(path))
    if (named !== undefined || !path.toLowerCase().endsWith(".zip")) return named
    const { fileNameIn } = yield* Effect.promise(() => import("../../adapters/cms/packedFile.ts"))
    return serviceNamed(yield* fileNameIn(path, source))
  })

const todayUtc = Effect.map(DateTime.now, (now) => DateTime.formatIsoDateUtc(now) as IsoDate)

type Show = typeof withProgress | typeof withoutProgress

/** The stores, with the lists that come with the service. */
const overLibrary = <A, E, R extends Ports>(command: Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    Effect.promise(() => import("../lists/shippedLists.ts")),
    ({ keepShippedLists }) => overStores(Effect.andThen(keepShippedLists, command))
  )

const importMcd = (path: string, show: Show) =>
  Effect.gen(function* () {
    const { readMcd } = yield* Effect.promise(() => import("../../adapters/cms/readMcd.ts"))
    const { importPolicies } = yield* Effect.promise(() => import("../../core/import/importPolicies.ts"))
    return yield* show((onProgress) =>
      Effect.flatMap(readMcd(path), (policies) => overLibrary(importPolicies(policies, onProgress)))
    )
  }).pipe(Effect.scoped)

const importPayers = (path: string, show: Show) =>
  Effect.gen(function* () {
    const { readPolicies } = yield* Effect.promise(() => import("../../adapters/payer/readPolicies.ts"))
    const { importPolicies } = yield* Effect.promise(() => import("../../core/import/importPolicies.ts"))
    const today = yield* todayUtc
    return yield* show((onProgress) =>
      Effect.flatMap(readPolicies(path, today), (policies) =>
        overLibrary(importPolicies(policies, onProgress))
      )
    )
  })

/** A list of a day to come would keep out every list before it. */
const importPriorAuth = (path: string, show: Show) =>
  Effect.gen(function* () {
    const { readPriorAuth } = yield* Effect.promise(() => import("../../adapters/cms/readPriorAuth.ts"))
    const importer = yield* Effect.promise(() => import("../../core/import/importPriorAuth.ts"))
    const list = yield* readPriorAuth(path)
    if (list.contents.listAsOf > (yield* todayUtc)) {
      return yield* refuse("IMPORT_MALFORMED", `${basename(path)}: its list_as_of is a day to come.`)
    }
    return yield* show(() => overLibrary(importer.importPriorAuth(list)))
  })

const importCodes = (
  source: CodeSourceName,
  { edition, path }: { readonly path: string; readonly edition: Edition | undefined },
  show: Show
) =>
  Effect.gen(function* () {
    const importer = yield* Effect.promise(() => import("../../core/import/importCodes.ts"))
    const read = yield* Effect.promise(readers[source])
    return yield* show((onProgress) =>
      Effect.flatMap(read(path, edition), (codes) => overLibrary(importer.importCodes(codes, onProgress)))
    )
  })

const importNcdCodes = (path: string, show: Show) =>
  Effect.gen(function* () {
    const { readNcdCodes } = yield* Effect.promise(() => import("../../adapters/cms/readNcdCodes.ts"))
    const importer = yield* Effect.promise(() => import("../../core/import/importNcdCodes.ts"))
    return yield* show(() =>
      Effect.flatMap(readNcdCodes(path), (source) => overLibrary(importer.importNcdCodes(source)))
    )
  })

const importEdits = (
  source: EditSourceName,
  table: { readonly path: string; readonly service: EditTable },
  show: Show
) =>
  Effect.gen(function* () {
    const importer = yield* Effect.promise(() => import("../../core/import/importEdits.ts"))
    const read = yield* Effect.promise(readers[source])
    return yield* show((onProgress) =>
      Effect.flatMap(read(table.path, table.service), (edits) =>
        overLibrary(importer.importEdits(edits, onProgress))
      )
    )
  })

const importers = {
  mcd: importMcd,
  policies: importPayers,
  "prior-auth": importPriorAuth,
  "ncd-codes": importNcdCodes
}

const readers = {
  hcpcs: async () => (await import("../../adapters/cms/readHcpcs.ts")).readHcpcs,
  icd10cm: async () => (await import("../../adapters/cms/readIcd10cm.ts")).readIcd10cm,
  pfs: async () => (await import("../../adapters/cms/readPfs.ts")).readPfs,
  ncci: async () => (await import("../../adapters/cms/readNcci.ts")).readNcci,
  mue: async () => (await import("../../adapters/cms/readMue.ts")).readMue
}

/** What the report's count of codes counts, for a person to read. */
const nouns: Readonly<Record<SourceName, Noun>> = {
  mcd: "policies",
  policies: "policies",
  "prior-auth": "codes",
  "ncd-codes": "rows"
}
type Noun = "policies" | "codes" | "edits" | "rows"

const answerFor = ({ gaps, skippedRows, ...report }: ImportReport, noun: Noun): Answer => ({
  json: {
    ...report,
    ...(skippedRows === undefined ? {} : { skipped_rows: skippedRows }),
    warnings: gaps
  },
  text: report.unchanged
    ? [`Snapshot ${report.snapshot} was imported before: there was nothing to do.`]
    : [`Snapshot ${report.snapshot} was imported in ${report.seconds} s: ${figures(report, noun)}.`, ...gaps]
})

type Figures = Pick<ImportReport, "changes" | "codes" | "policies" | "versions">

const figures = ({ changes, codes, policies, versions }: Figures, noun: Noun): string =>
  noun === "policies"
    ? `${withThousands(policies)} policies with ${withThousands(versions)} new versions ` +
      `and ${withThousands(changes)} changes, ${withThousands(codes)} codes`
    : `${withThousands(codes)} ${noun}`
