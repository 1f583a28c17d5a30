import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { join } from "node:path"
import { libraryStores } from "../../adapters/memory/libraryStores.ts"
import { readHcpcs } from "../../adapters/cms/readHcpcs.ts"
import { readIcd10cm } from "../../adapters/cms/readIcd10cm.ts"
import { readMcd } from "../../adapters/cms/readMcd.ts"
import { readMue } from "../../adapters/cms/readMue.ts"
import { readNcci } from "../../adapters/cms/readNcci.ts"
import { readPfs } from "../../adapters/cms/readPfs.ts"
import type { CodeReader } from "../../adapters/cms/codeFile.ts"
import * as Reviews from "../../adapters/memory/Reviews.ts"
import { readPolicies } from "../../adapters/payer/readPolicies.ts"
import type { Edition } from "../../core/coverage/CodeTable.ts"
import type { IsoDate } from "../../core/coverage/date.ts"
import type { EditTable } from "../../core/coverage/editTables.ts"
import { importCodes } from "../../core/import/importCodes.ts"
import { importEdits } from "../../core/import/importEdits.ts"
import { importPolicies } from "../../core/import/importPolicies.ts"
import { keepShippedLists } from "../lists/shippedLists.ts"

/** Where the authored sources of the sandbox lie, in the formats that operators import. */
export const fixturesFolder = join(import.meta.dirname, "fixtures")

/** Days before today on which the sandbox's library was first laid down, and on which it was brought up. */
export const daysAgo = { laidDown: 45, broughtUp: 9 } as const

/**
 * The library of the sandbox in the process: the authored sources of `fixtures` and the lists that come with
 * the service, imported by the same readers and importers as an operator's. Every layer built is a library of
 * its own, and the same whenever it is built within one day (UTC): the first download was imported 45 days
 * ago at midnight and the second 9 days ago, so that some changes always lie within the last 30 days and some
 * before. Diff ids, versions and fingerprints do not depend on the day. A source that is malformed is a fault
 * of ours: it dies.
 */
export const sandboxLibrary = Layer.effectDiscard(Effect.suspend(() => fillLibrary)).pipe(
  Layer.provideMerge(libraryStores),
  Layer.orDie,
  Layer.fresh
)

/** The same with what each test key has acknowledged of its changes, kept where all processes see it. */
export const reviewedLibrary = Layer.provideMerge(Layer.fresh(Reviews.layer), sandboxLibrary)

const at = (...path: ReadonlyArray<string>): string => join(fixturesFolder, ...path)

const quietly = () => Effect.void

const download = (name: string) =>
  Effect.scoped(Effect.flatMap(readMcd(at(name)), (source) => importPolicies(source, quietly)))

const codes = (read: CodeReader, file: string, edition?: Edition) =>
  Effect.flatMap(read(at(file), edition), (source) => importCodes(source, quietly))

/** A sandbox is of every day: the editions that are in force in it never end. */
const withLibrary = (name: string, from: string): Edition => ({ name, from: from as IsoDate, until: null })

const edits = (read: typeof readNcci, service: EditTable, ...path: ReadonlyArray<string>) =>
  Effect.flatMap(read(at(...path), service), (source) => importEdits(source, quietly))

const laidDown = [
  codes(readHcpcs, "codes/hcpcs.txt", withLibrary("2026", "2017-01-01")),
  codes(readIcd10cm, "codes/icd10cm-order-Jan-2021.txt"),
  codes(readIcd10cm, "codes/icd10cm-order-Oct-2025.txt", withLibrary("FY2026", "2025-10-01")),
  codes(readPfs, "pfs/PPRRVU2026_Jan.csv", withLibrary("2026", "2026-01-01")),
  edits(readNcci, "practitioner", "ncci", "ccipra-v321r0-f1.txt"),
  edits(readNcci, "outpatient_hospital", "ncci", "ccioph-v321r0-f1.txt"),
  edits(readMue, "practitioner", "mue", "MCR_MUE_PractitionerServices_Eff_01-01-2026.csv"),
  edits(readMue, "outpatient_hospital", "mue", "MCR_MUE_OutpatientHospitalServices_Eff_01-01-2026.csv"),
  edits(readMue, "dme_supplier", "mue", "MCR_MUE_DMESupplierServices_Eff_01-01-2026.txt"),
  Effect.flatMap(readPolicies(at("policies.ndjson")), (source) => importPolicies(source, quietly)),
  keepShippedLists,
  download("mcd")
]

/** Imports the sources of the sandbox into whatever library is given. */
export const fillLibrary = Effect.gen(function* () {
  yield* onDay(daysAgo.laidDown, Effect.all(laidDown, { discard: true }))
  yield* onDay(daysAgo.broughtUp, download("mcd-next"))
})

/** Carries something out as if it were midnight (UTC) of that many days ago. */
const onDay = <A, E, R>(days: number, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const today = DateTime.startOf(yield* DateTime.now, "day")
    const ms = DateTime.toEpochMillis(DateTime.subtract(today, { days }))
    return yield* Effect.provideService(effect, Clock.Clock, stillAt(clock, ms))
  })

/** A clock that stands at these Unix ms. */
export const stillAt = (clock: Clock.Clock, ms: number): Clock.Clock => ({
  currentTimeMillisUnsafe: () => ms,
  currentTimeMillis: Effect.succeed(ms),
  currentTimeNanosUnsafe: () => BigInt(ms) * 1_000_000n,
  currentTimeNanos: Effect.succeed(BigInt(ms) * 1_000_000n),
  monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
  monotonicTimeNanos: clock.monotonicTimeNanos,
  sleep: (duration) => clock.sleep(duration)
})
