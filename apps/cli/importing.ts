import * as Effect from "effect/Effect"
import type { ImportReport } from "../../core/workflow/ImportReport.ts"
import type { Answer } from "./Answer.ts"
import { Json } from "./Answer.ts"
import { overStores } from "./composing.ts"
import { silent, telling } from "./progress.ts"
import { counted } from "./table.ts"

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
    argument: "file",
    describes: "Import an edition of HCPCS level II: the fixed-width contractor file",
    example: "import hcpcs ./HCPC2026_CONTR_ANWEB.txt"
  },
  icd10cm: {
    argument: "file or .gz",
    describes: "Import an edition of ICD-10-CM: the order file, plain or gzipped",
    example: "import icd10cm ./icd10cm-order-2026.txt.gz"
  }
} as const

export type SourceName = keyof typeof sources

/** `import mcd`, `import hcpcs`, `import icd10cm`. The source is looked at before the stores are opened. */
export const importFrom = (source: SourceName, path: string) =>
  Effect.gen(function* () {
    const show = (yield* Json) ? silent : telling
    return answerFor(yield* source === "mcd" ? importMcd(path, show) : importCodes(source, path, show))
  })

type Show = typeof telling | typeof silent

const importMcd = (path: string, show: Show) =>
  Effect.gen(function* () {
    const { readMcd } = yield* Effect.promise(() => import("../../adapters/cms/readMcd.ts"))
    const { importPolicies } = yield* Effect.promise(() => import("../../core/workflow/importPolicies.ts"))
    return yield* show((onProgress) =>
      Effect.flatMap(readMcd(path), (policies) => overStores(importPolicies(policies, onProgress)))
    )
  }).pipe(Effect.scoped)

const importCodes = (source: "hcpcs" | "icd10cm", path: string, show: Show) =>
  Effect.gen(function* () {
    const workflow = yield* Effect.promise(() => import("../../core/workflow/importCodes.ts"))
    const read = yield* Effect.promise(readers[source])
    return yield* show((onProgress) =>
      Effect.flatMap(read(path), (codes) => overStores(workflow.importCodes(codes, onProgress)))
    )
  })

const readers = {
  hcpcs: async () => (await import("../../adapters/cms/readHcpcs.ts")).readHcpcs,
  icd10cm: async () => (await import("../../adapters/cms/readIcd10cm.ts")).readIcd10cm
}

const answerFor = ({ gaps, ...report }: ImportReport): Answer => ({
  json: { ...report },
  text: report.unchanged
    ? [`Snapshot ${report.snapshot} was imported before: there was nothing to do.`]
    : [`Snapshot ${report.snapshot} was imported in ${report.seconds} s: ${figures(report)}.`, ...gaps]
})

/** A file of codes holds no policies. */
const figures = ({ changes, codes, policies, versions }: Omit<ImportReport, "gaps">): string =>
  policies === 0
    ? `${counted(codes)} codes`
    : `${counted(policies)} policies with ${counted(versions)} new versions ` +
      `and ${counted(changes)} changes, ${counted(codes)} codes`
