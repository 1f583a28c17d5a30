import { CmsFileMalformed } from "./CmsFileMalformed.ts"

/** The fault of a spreadsheet or an archive given to an import that reads CSV alone. */
export const packedFault = (bytes: Uint8Array, file: string): CmsFileMalformed | undefined => {
  const start = Buffer.from(bytes.subarray(0, 4)).toString("hex")
  return start === "504b0304" || start === "d0cf11e0"
    ? new CmsFileMalformed({
        file,
        line: null,
        reason: "it is a spreadsheet or a zip: save it as CSV in UTF-8"
      })
    : undefined
}

/** How many bytes tell a mark. */
export const markBytes = 3

/** Whether the bytes begin with the mark of UTF-8. */
export const isMarkedUtf8 = (bytes: Uint8Array): boolean =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf

/** The fault of a file that begins with the mark of UTF-16, whose every reading would be of noise. */
export const utf16Fault = (bytes: Uint8Array, file: string): CmsFileMalformed | undefined =>
  (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
    ? new CmsFileMalformed({ file, line: null, reason: "it is UTF-16, not UTF-8: save it as UTF-8" })
    : undefined
