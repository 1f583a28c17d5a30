import { readFile, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { gzipSync } from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readHcpcs } from "../../adapters/cms/readHcpcs.ts"
import { readIcd10cm } from "../../adapters/cms/readIcd10cm.ts"
import { readMcd } from "../../adapters/cms/readMcd.ts"
import { readMue } from "../../adapters/cms/readMue.ts"
import { readNcci } from "../../adapters/cms/readNcci.ts"
import { readNcdCodes } from "../../adapters/cms/readNcdCodes.ts"
import { readPfs } from "../../adapters/cms/readPfs.ts"
import { readPriorAuth } from "../../adapters/cms/readPriorAuth.ts"
import { readPolicies } from "../../adapters/payer/readPolicies.ts"
import { listsFolder } from "../../apps/lists/shippedLists.ts"
import { fixture, folder } from "../kit/cmsFixtures.ts"
import { all, pairsFile, unitsFile } from "../kit/editFiles.ts"

type Reading = Effect.Effect<unknown, unknown>

/** Every import of one file: a file that is right, and what is read of it. */
const imports: ReadonlyArray<readonly [name: string, file: string, read: (path: string) => Reading]> = [
  ["hcpcs", fixture("codes/hcpcs.txt"), (path) => Effect.flatMap(readHcpcs(path), (one) => one.read)],
  [
    "icd10cm",
    fixture("codes/icd10cm-order-Jan-2021.txt"),
    (path) => Effect.flatMap(readIcd10cm(path), (one) => one.read)
  ],
  ["pfs", fixture("pfs/PPRRVU2026_Jan.csv"), (path) => Effect.flatMap(readPfs(path), (one) => one.read)],
  ["mue", unitsFile, (path) => Effect.flatMap(readMue(path, "practitioner"), all)],
  ["ncci", pairsFile, (path) => Effect.flatMap(readNcci(path, "practitioner"), all)],
  ["prior-auth", join(listsFolder, "prior-auth/DMEPOS.csv"), readPriorAuth],
  ["ncd-codes", join(listsFolder, "ncd-codes.csv"), readNcdCodes],
  [
    "policies",
    fixture("policies.ndjson"),
    (path) =>
      Effect.map(
        Effect.flatMap(readPolicies(path), (one) => one.read),
        ({ payers, policies }) => [payers, policies.map(({ policyId }) => policyId)]
      )
  ]
]

/** What is read of the file as it is and with bytes before it. */
const withBytes = Effect.fnUntraced(function* (file: string, make: (bytes: Buffer) => Buffer) {
  const path = join(yield* folder, basename(file))
  yield* Effect.promise(async () => writeFile(path, make(await readFile(file))))
  return path
})

/** Answers without the hash of the file, which tells the mark. */
const plain = (read: unknown): string => JSON.stringify(read).replaceAll(/"[0-9a-f]{64}"/g, '""')

describe("the mark that some editors put before a text", () => {
  for (const [name, file, read] of imports) {
    it.live(`of UTF-8 changes nothing for ${name}`, () =>
      Effect.gen(function* () {
        const marked = yield* withBytes(file, (bytes) => Buffer.concat([Buffer.from("\uFEFF"), bytes]))
        expect(plain(yield* read(marked))).toEqual(plain(yield* read(file)))
      })
    )

    it.live(`of UTF-16 is refused by ${name}, in either order, and says so`, () =>
      Effect.gen(function* () {
        for (const swap of [false, true]) {
          const wide = yield* withBytes(file, (bytes) => {
            const text = Buffer.from(`\uFEFF${bytes.toString("latin1")}`, "utf16le")
            return swap ? text.swap16() : text
          })
          const fault = yield* Effect.flip(read(wide))
          expect(JSON.stringify(fault)).toMatch(/not UTF-8|no UTF-8/)
        }
      })
    )
  }

  it.live("of UTF-16 is refused in a table of the coverage database, and in a packed file", () =>
    Effect.gen(function* () {
      const wide = Buffer.from("\uFEFFlcd_id,lcd_version\n", "utf16le")
      const path = yield* folder
      yield* Effect.promise(() => writeFile(join(path, "lcd.csv"), wide))
      const fault = yield* Effect.flip(Effect.scoped(readMcd(path)))
      expect(fault).toMatchObject({ file: "lcd.csv", reason: expect.stringContaining("not UTF-8") })
      const packed = join(path, "codes.gz")
      yield* Effect.promise(() => writeFile(packed, gzipSync(wide)))
      expect((yield* Effect.flip(readHcpcs(packed))).reason).toContain("not UTF-8")
      expect((yield* Effect.flip(readNcci(packed, "practitioner"))).reason).toContain("not UTF-8")
    })
  )
})
