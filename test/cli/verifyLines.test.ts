import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import { linesOf } from "../../apps/cli/linesOf.ts"
import { verifyLines } from "../../apps/cli/verifyLines.ts"
import type { PublicKey } from "../../core/release/exported.ts"
import { Signatures } from "../../core/port/Signatures.ts"
import { certifyLibrary, exportText, imports, memoryCertifying } from "../kit/certifying.ts"
import { diagnoses, documentOf, procedure } from "../kit/library.ts"
import { sha256, sha256Hex } from "../kit/releases.ts"

const documents = [
  documentOf({ policyId: "L33831", codeGroups: [procedure("E0601", "K0001"), diagnoses("E1165")] }),
  documentOf({ policyId: "NCD 220.6", codeGroups: [procedure("E0601")] })
]

/** A release of four records, and another service's of the same records. */
const release = Effect.gen(function* () {
  yield* imports(documents)
  const text = yield* exportText(yield* certifyLibrary())
  const [key] = yield* (yield* Signatures).publicKeys
  return { bytes: new Uint8Array(Buffer.from(text)), key }
}).pipe((made) => Effect.provide(made, Layer.fresh(memoryCertifying)))

let [ours, theirs] = [undefined, undefined] as unknown as [
  Effect.Success<typeof release>,
  Effect.Success<typeof release>
]
beforeAll(async () => {
  ours = await Effect.runPromise(release)
  theirs = await Effect.runPromise(release)
})

async function* chunked(bytes: Uint8Array, size: number) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

const verified = async (bytes: Uint8Array, trusted?: ReadonlyArray<PublicKey>, chunk = 65_536) =>
  Result.merge(await verifyLines(linesOf(chunked(bytes, chunk)), { text: sha256Hex, bytes: sha256 }, trusted))

const lineOfByte = (at: number): number =>
  Buffer.from(ours.bytes.subarray(0, at)).toString("latin1").split("\n").length

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString()
const lines = (): Array<string> => textOf(ours.bytes).split("\n").slice(0, -1)
const asBytes = (all: ReadonlyArray<string>): Uint8Array =>
  Buffer.from(all.map((line) => `${line}\n`).join(""))

describe("contract §4: release verify", () => {
  it("an export is whole, by the key in it and by the same key had elsewhere, in any pieces", async () => {
    expect(await verified(ours.bytes)).toMatchObject({ records: 4 })
    const { key } = ours
    expect(key && (await verified(ours.bytes, [key]))).toMatchObject({ records: 4, keyId: key?.kid })
    for (const chunk of [1, 7, 100])
      expect(await verified(ours.bytes, undefined, chunk)).toMatchObject({ records: 4 })
  })

  it("one flipped bit, anywhere, is named by its line", { timeout: 60_000 }, async () => {
    const bits = fc.record({ at: fc.nat(ours.bytes.length - 1), bit: fc.nat(7) })
    const signature = textOf(ours.bytes).indexOf('"signature"')
    const inSignature = bits.map(({ at, bit }) => ({ at: signature + (at % 400), bit }))
    await fc.assert(
      fc.asyncProperty(fc.oneof(bits, inSignature), async ({ at, bit }) => {
        const flipped = ours.bytes.map((byte, index) => (index === at ? byte ^ (1 << bit) : byte))
        // A line's end that is flipped joins two lines, and one that is made parts one.
        expect(await verified(flipped)).toMatchObject({ line: lineOfByte(at) })
      }),
      { numRuns: 1_000 }
    )
  })

  it("a record that is missing, doubled, out of its place or added is named", async () => {
    const all = lines()
    const [head = "", first = "", second = "", third = "", fourth = ""] = all
    expect(await verified(asBytes([head, first, second, third]))).toMatchObject({ line: 5 })
    expect(await verified(asBytes([head, first, first, second, third, fourth]))).toMatchObject({ line: 3 })
    expect(await verified(asBytes([head, second, first, third, fourth]))).toMatchObject({ line: 3 })
    const after = recordLike(first, (record) => ({ ...record, code: "Z9999" }), fourth)
    expect(await verified(asBytes([...all, after]))).toMatchObject({ line: 6 })
  })

  it("a line that means the same and is written in another way is named", async () => {
    const all = lines()
    const anew = (line: string) => JSON.stringify(JSON.parse(line), null, 1).replaceAll("\n", "")
    for (const at of [0, 2])
      expect(await verified(asBytes(all.with(at, anew(all[at] ?? ""))))).toMatchObject({ line: at + 1 })
  })

  it("a record that was forged with its hash is told of, though no line is wrong in itself", async () => {
    const [head = "", ...records] = lines()
    const forged = recordLike(records[0] ?? "", (record) => ({ ...record, disposition: "covered" }))
    const sorted = [forged, ...records.slice(1)].toSorted((a, b) => (hashOf(a) < hashOf(b) ? -1 : 1))
    expect(await verified(asBytes([head, ...sorted]))).toMatchObject({ line: null })
  })

  it("whoever signs anew is told apart by the keys one trusts, and by them alone", async () => {
    const { key } = ours
    if (key === undefined) expect.fail("no key is published")
    expect(await verified(theirs.bytes)).toMatchObject({ records: 4 })
    expect(await verified(theirs.bytes, [key])).toMatchObject({ line: 1 })
    expect(await verified(ours.bytes, [])).toMatchObject({ line: 1 })
  })

  it("a file that is cut off, empty, no text or no release is refused without a guess", async () => {
    for (const end of [1, 100])
      expect(await verified(ours.bytes.subarray(0, -end))).toMatchObject({ line: 5 })
    expect(await verified(new Uint8Array(0))).toMatchObject({ line: 1 })
    for (const text of [
      "\n",
      "{}\n",
      "null\n",
      "[[[[\n",
      `\u{FEFF}${textOf(ours.bytes)}`,
      "[".repeat(100_000)
    ])
      expect(await verified(Buffer.from(text))).toMatchObject({ line: 1 })
    expect(await verified(Buffer.from(`${"[".repeat(20_000)}${"]".repeat(20_000)}\n`))).toMatchObject({
      line: 1
    })
    expect(await verified(Uint8Array.of(0xff, 0x0a))).toMatchObject({ line: 1 })
    expect(await verified(new Uint8Array(3_000_000).fill(0x20))).toMatchObject({ line: 1 })
  })
})

const hashOf = (line: string): string => JSON.parse(line).record_sha256

/**
 * The record changed and hashed anew, so that nothing of its own is wrong; with `after`, sorted behind it.
 */
const recordLike = (
  line: string,
  change: (record: Record<string, unknown>) => Record<string, unknown>,
  after = ""
): string => {
  for (let version = 2; ; version++) {
    const { decision_id: _, record_sha256: __, ...record } = JSON.parse(line)
    const changed = sorted({ ...change(record), policy_version: version })
    const sha = sha256Hex(`decision.v1\0${JSON.stringify(changed)}`)
    if (after === "" || sha > hashOf(after))
      return JSON.stringify(sorted({ ...changed, decision_id: `dec_${sha}`, record_sha256: sha }))
  }
}

const sorted = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))
