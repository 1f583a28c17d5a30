import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import { utf16Fault } from "./byteOrderMark.ts"
import type { CmsFileMalformed } from "./CmsFileMalformed.ts"
import { malformedFrom } from "./CmsFileMalformed.ts"
import type { CmsFile } from "./files.ts"

/** CMS mixes encodings within one export (coverage-domain §1.5, trap 1). */
export type Encoding = "utf-8" | "windows-1252"

/** A table that is known byte for byte before any of its rows is read. */
export interface InspectedFile extends CmsFile {
  readonly sha256: string
  readonly encoding: Encoding
}

/**
 * Reads the file once: its hash, and whether it is UTF-8 throughout; anything else CMS writes is
 * Windows-1252.
 */
export const inspect = (file: CmsFile): Effect.Effect<InspectedFile, CmsFileMalformed> =>
  Effect.tryPromise({
    try: async () => {
      const hash = createHash("sha256")
      const decoder = new TextDecoder("utf-8", { fatal: true })
      let encoding: Encoding = "utf-8"
      let isStart = true
      for await (const chunk of await file.open()) {
        const bytes = Buffer.from(chunk)
        const fault = isStart ? utf16Fault(bytes, file.name) : undefined
        if (fault !== undefined) throw fault
        isStart = false
        hash.update(bytes)
        if (encoding === "utf-8" && !decodes(decoder, bytes)) encoding = "windows-1252"
      }
      if (encoding === "utf-8" && !decodes(decoder, undefined)) encoding = "windows-1252"
      return { ...file, sha256: hash.digest("hex"), encoding }
    },
    catch: (cause) => malformedFrom(cause, file.name)
  })

/**
 * Grows whenever documents are read otherwise from the same bytes, so that an operator who imports the same
 * download after an upgrade has it read again, once.
 */
const readerVersion = 4

/**
 * The same names and bytes are the same snapshot, whether they lie in a folder or a zip and in whatever
 * order.
 */
export const snapshotIdOf = (files: ReadonlyArray<InspectedFile>): string => {
  const lines = [`reader ${readerVersion}\n`, ...files.map((file) => `${file.name} ${file.sha256}\n`)]
  return createHash("sha256")
    .update([...new Set(lines)].toSorted().join(""))
    .digest("hex")
}

const decodes = (decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array | undefined): boolean => {
  try {
    decoder.decode(bytes, { stream: bytes !== undefined })
    return true
  } catch {
    return false
  }
}
