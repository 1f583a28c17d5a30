import { createHash } from "node:crypto"
import { basename } from "node:path"
import * as Effect from "effect/Effect"
import { isMarkedUtf8, markBytes, utf16Fault } from "./byteOrderMark.ts"
import { CmsFileMalformed, malformedFrom } from "./CmsFileMalformed.ts"
import type { CmsFileKind } from "./fileKinds.ts"
import type { PackedFile } from "./packedFile.ts"
import { packedFile } from "./packedFile.ts"

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

/** Reads a file, plain, gzipped or in CMS's zip, once for its hash; none of it is held. */
export const lineFile = (path: string, kind: CmsFileKind): Effect.Effect<LineFile, CmsFileMalformed> =>
  Effect.tryPromise({
    try: async () => {
      const file = await packedFile(path, kind)
      const hash = createHash("sha256")
      for await (const chunk of chunksOf(file)) hash.update(chunk)
      const sha256 = hash.digest("hex")
      return { name: file.name, sha256, lines: () => linesOf(file, sha256) }
    },
    catch: (cause) => malformedFrom(cause, basename(path))
  })

/** The file's bytes, unpacked; more than any real file has are refused. */
async function* chunksOf({ name, open }: PackedFile): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of await open()) {
    const buffer = Buffer.from(chunk)
    const fault = bytes === 0 ? utf16Fault(buffer, name) : undefined
    if (fault !== undefined) throw fault
    bytes += buffer.length
    if (bytes > fileBytesMax) throw faultOf(name, "it is larger than any real file of edits")
    yield buffer
  }
}

/** Looks at the hash again, so that a file which was replaced between two readings is no snapshot. */
async function* linesOf(file: PackedFile, sha256: string) {
  const hash = createHash("sha256")
  let rest = ""
  let isStart = true
  for await (const chunk of chunksOf(file)) {
    hash.update(chunk)
    const lines = (
      rest + chunk.subarray(isStart && isMarkedUtf8(chunk) ? markBytes : 0).toString("latin1")
    ).split("\n")
    isStart = false
    rest = lines.pop() ?? ""
    if (rest.length > lineCharactersMax) throw faultOf(file.name, "a line is longer than any real one")
    yield lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line))
  }
  if (rest.replace("\u001a", "") !== "") yield [rest]
  if (hash.digest("hex") !== sha256) throw faultOf(file.name, "it was changed while it was read")
}

const faultOf = (file: string, reason: string): CmsFileMalformed =>
  new CmsFileMalformed({ file, line: null, reason })
