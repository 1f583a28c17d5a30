import * as Schema from "effect/Schema"

/**
 * A file of the source that cannot be read as what it says it is. `line` counts from 1; null: the file as a
 * whole.
 */
export class CmsFileMalformed extends Schema.TaggedError<CmsFileMalformed>()("CmsFileMalformed", {
  file: Schema.String,
  line: Schema.NullOr(Schema.Number),
  reason: Schema.String
}) {}

/** What went wrong, in a sentence that repeats nothing of the file's contents. */
export const malformedFrom = (cause: unknown, file: string): CmsFileMalformed =>
  cause instanceof CmsFileMalformed
    ? cause
    : new CmsFileMalformed({ file, line: lineOf(cause), reason: reasonOf(cause) })

const reasonOf = (cause: unknown): string => {
  const code = codeOf(cause)
  if (code === "") return "it cannot be read as its kind of file"
  return reasons[code] ?? `it cannot be read (${code})`
}

const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : ""

const lineOf = (cause: unknown): number | null =>
  cause instanceof Error && "lines" in cause && typeof cause.lines === "number" ? cause.lines : null

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EACCES: "it may not be read",
  EISDIR: "it is a folder",
  CSV_QUOTE_NOT_CLOSED: "a quoted cell is never closed: the file is cut short or a quote is missing",
  CSV_INVALID_CLOSING_QUOTE: "a quoted cell is followed by neither a comma nor the end of the line",
  INVALID_OPENING_QUOTE: "a quote stands inside a cell that is not quoted",
  CSV_MAX_RECORD_SIZE: "a row is longer than any row of the database: a quote is missing",
  ERR_ENCODING_INVALID_ENCODED_DATA: "it is not UTF-8",
  Z_DATA_ERROR: "its compressed data is damaged",
  Z_BUF_ERROR: "its compressed data ends too early"
}
