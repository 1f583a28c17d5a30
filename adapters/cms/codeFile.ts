import { createHash } from "node:crypto"
import { stat } from "node:fs/promises"
import { basename } from "node:path"
import type { Readable } from "node:stream"
import * as Effect from "effect/Effect"
import type { Edition } from "../../core/coverage/CodeTable.ts"
import type { IsoDate } from "../../core/coverage/date.ts"
import type { CodeSource } from "../../core/import/CodeSource.ts"
import { isMarkedUtf8, utf16Fault } from "./byteOrderMark.ts"
import { CmsFileMalformed, malformedFrom } from "./CmsFileMalformed.ts"
import type { CmsFileKind } from "./fileKinds.ts"
import { packedFile } from "./packedFile.ts"

/** A file of codes in memory: the largest real one has 15 MB. */
export interface CodeFile {
  readonly name: string
  readonly sha256: string
  /** Lines without their ends and without the empty one after the last; one character is one byte. */
  readonly lines: ReadonlyArray<string>
  readonly modifiedOn: IsoDate
}

/** Unpacked size of a file of codes; more is none. */
const fileBytesMax = 200_000_000

/**
 * Reads a file of codes, plain, gzipped or in CMS's zip. Fixed widths count bytes, so the text is decoded one
 * byte to a character; the files are ASCII, and other bytes are Windows-1252.
 */
export const codeFile = (path: string, kind: CmsFileKind): Effect.Effect<CodeFile, CmsFileMalformed> =>
  Effect.tryPromise({
    try: async () => {
      const { mtime } = await stat(path)
      const { name, open } = await packedFile(path, kind)
      const bytes = await bytesOf(await open(), name)
      return {
        name,
        sha256: createHash("sha256").update(bytes).digest("hex"),
        lines: linesOf(textOf(bytes, name)),
        modifiedOn: mtime.toISOString().slice(0, 10) as IsoDate
      }
    },
    catch: (cause) => malformedFrom(cause, basename(path))
  })

const bytesOf = async (stream: Readable, name: string): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > fileBytesMax) throw tooLarge(name)
    chunks.push(Buffer.from(chunk))
  }
  return Buffer.concat(chunks)
}

/** A mark says that the text is UTF-8, and is none of it. */
const textOf = (bytes: Uint8Array, file: string): string => {
  const fault = utf16Fault(bytes, file)
  if (fault !== undefined) throw fault
  const encoding = isMarkedUtf8(bytes) ? "utf-8" : "windows-1252"
  return new TextDecoder(encoding, { fatal: true }).decode(bytes)
}

/** Opens a file of codes; the operator may say its edition, which else its name or its rows say. */
export type CodeReader = (
  path: string,
  edition?: Edition
) => Effect.Effect<CodeSource<CmsFileMalformed>, CmsFileMalformed>

/** What is known of a file before it is read. */
export interface FileFacts {
  readonly snapshotId: string
  readonly edition: Edition | undefined
}

/**
 * One unpacked file is one snapshot, packed or not; its name may differ, its bytes may not. The same bytes of
 * another stated edition are another snapshot.
 */
export const codeSnapshotId = (kind: string, file: CodeFile, edition?: Edition): string => {
  const stated = edition === undefined ? "" : ` ${edition.from}..${edition.until ?? ""}`
  return createHash("sha256").update(`${kind} ${file.sha256}${stated}\n`).digest("hex")
}

/** A fault of one line, counted from 1. */
export const faultAt = (
  file: CodeFile,
  fault: { readonly index: number; readonly reason: string }
): CmsFileMalformed => new CmsFileMalformed({ file: file.name, line: fault.index + 1, reason: fault.reason })

const linesOf = (text: string): ReadonlyArray<string> => {
  const lines = text.split(/\r?\n/)
  while (lines.at(-1)?.replace("\u001a", "") === "") lines.pop()
  return lines
}

const tooLarge = (file: string): CmsFileMalformed =>
  new CmsFileMalformed({ file, line: null, reason: "it is larger than any real file of codes" })
