import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import { basename } from "node:path"
import type { Readable } from "node:stream"
import { createGunzip } from "node:zlib"
import * as Effect from "effect/Effect"
import { isMarkedUtf8, markBytes, utf16Fault } from "./byteOrderMark.ts"
import { CmsFileMalformed, malformedFrom } from "./CmsFileMalformed.ts"

/** A file that is too large to hold: it is read line by line, as often as it is needed. */
export interface LineFile {
  readonly name: string
  /** Of the unpacked bytes. */
  readonly sha256: string
  /** Lines without their ends, some at a time; one character is one byte. Throws CmsFileMalformed. */
  readonly lines: () => AsyncGenerator<ReadonlyArray<string>>
}

/** Unpacked size of one file of edits: the largest real one has about 60 MB. */
const fileBytesMax = 2_000_000_000
/** The longest real line, a title, has under 1,000 characters. */
const lineCharactersMax = 10_000

/** Reads a plain or gzipped file once, for its hash; nothing of it is held. */
export const lineFile = (path: string): Effect.Effect<LineFile, CmsFileMalformed> =>
  Effect.tryPromise({
    try: async () => {
      const name = basename(path)
      const hash = createHash("sha256")
      for await (const chunk of chunksOf(path)) hash.update(chunk)
      const sha256 = hash.digest("hex")
      return { name, sha256, lines: () => linesOf({ path, name, sha256 }) }
    },
    catch: (cause) => malformedFrom(cause, basename(path))
  })

/** The file's bytes, unpacked; more than any real file has are refused. */
async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of await unpacked(path)) {
    const buffer = Buffer.from(chunk)
    const fault = bytes === 0 ? utf16Fault(buffer, basename(path)) : undefined
    if (fault !== undefined) throw fault
    bytes += buffer.length
    if (bytes > fileBytesMax) throw faultOf(path, "it is larger than any real file of edits")
    yield buffer
  }
}

const unpacked = async (path: string): Promise<Readable> => {
  const handle = await open(path)
  const start = Buffer.alloc(2)
  await handle.read(start, 0, 2, 0).finally(() => handle.close())
  const raw = createReadStream(path)
  if (start[0] !== 0x1f || start[1] !== 0x8b) return raw
  const gunzip = createGunzip()
  raw.on("error", (error) => gunzip.destroy(error))
  return raw.pipe(gunzip)
}

/** Looks at the hash again, so that a file which was replaced between two readings is no snapshot. */
async function* linesOf(file: Pick<LineFile, "name" | "sha256"> & { readonly path: string }) {
  const hash = createHash("sha256")
  let rest = ""
  let isStart = true
  for await (const chunk of chunksOf(file.path)) {
    hash.update(chunk)
    const lines = (
      rest + chunk.subarray(isStart && isMarkedUtf8(chunk) ? markBytes : 0).toString("latin1")
    ).split("\n")
    isStart = false
    rest = lines.pop() ?? ""
    if (rest.length > lineCharactersMax) throw faultOf(file.path, "a line is longer than any real one")
    yield lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line))
  }
  if (rest.replace("\u001a", "") !== "") yield [rest]
  if (hash.digest("hex") !== file.sha256) throw faultOf(file.path, "it was changed while it was read")
}

const faultOf = (path: string, reason: string): CmsFileMalformed =>
  new CmsFileMalformed({ file: basename(path), line: null, reason })
