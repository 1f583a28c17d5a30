import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readHcpcs } from "../../adapters/cms/readHcpcs.ts"
import { readIcd10cm } from "../../adapters/cms/readIcd10cm.ts"
import { readMcd } from "../../adapters/cms/readMcd.ts"
import { importCodes } from "../../core/import/importCodes.ts"
import { importPolicies } from "../../core/import/importPolicies.ts"
import { keepShippedLists } from "../../apps/lists/shippedLists.ts"
import { memoryLibrary } from "../kit/oracle.ts"

const real = (path: string): string => join(import.meta.dirname, "../../../shared/data", path)

/** Whether CMS's own tables lie beside the project. */
export const isThere = existsSync(real("mcd"))

const quietly = () => Effect.void

/** CMS's tables of March 2026, HCPCS of 2016 and ICD-10-CM of January 2021. */
export const realLibrary = Layer.effectDiscard(
  Effect.gen(function* () {
    yield* Effect.scoped(Effect.flatMap(readMcd(real("mcd")), (source) => importPolicies(source, quietly)))
    yield* Effect.flatMap(readHcpcs(real("hcpcs/HCPC2016_CONTR_ANWEB.txt")), (source) =>
      importCodes(source, quietly)
    )
    yield* Effect.flatMap(readIcd10cm(real("icd10cm/icd10cm-order-Jan-2021.txt.gz")), (source) =>
      importCodes(source, quietly)
    )
    yield* keepShippedLists
  })
).pipe(Layer.provideMerge(Layer.fresh(memoryLibrary)), Layer.orDie)
