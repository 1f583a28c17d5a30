import { createHash } from "node:crypto"
import { readFile, stat } from "node:fs/promises"
import { basename } from "node:path"
import * as Effect from "effect/Effect"
import { procedureSystem } from "../../core/coverage/codeText.ts"
import type { NcdCode, NcdCodeRole } from "../../core/coverage/NcdCode.ts"
import { ncdCodeKey, ncdCodeRoles } from "../../core/coverage/NcdCode.ts"
import { parsePolicyId } from "../../core/coverage/policyId.ts"
import type { NcdCodeSource } from "../../core/import/importNcdCodes.ts"
import { packedFault } from "./byteOrderMark.ts"
import { CmsFileMalformed, malformedFrom } from "./CmsFileMalformed.ts"
import { csvRecords } from "./csvRecords.ts"

/** The columns of the list, in this order (coverage-domain §2.1, rule 4). */
const columns = ["policy_id", "code", "role", "source", "source_url"]

/** A list is written by hand: the shipped one has about 1,000 rows and 200 kB. */
const fileBytesMax = 10_000_000
const sourceCharactersMax = 300
const urlCharactersMax = 2_048

/**
 * A list of NCDs and procedure codes: UTF-8, between commas, the header first. Every row is checked before
 * any is handed on, and the first that is none of the list ends the reading. Rows of one determination and
 * code are folded into the last of them; two of different roles are a fault.
 */
export const readNcdCodes = (path: string): Effect.Effect<NcdCodeSource, CmsFileMalformed> => {
  const file = basename(path)
  return Effect.tryPromise({
    try: async () => {
      const { size } = await stat(path)
      if (size > fileBytesMax) throw faultAt(file, null, "it is larger than any list of NCDs and codes")
      const bytes = await readFile(path)
      const packed = packedFault(bytes, file)
      if (packed !== undefined) throw packed
      const snapshotId = createHash("sha256").update("ncd_codes ").update(bytes).digest("hex")
      return { snapshotId, rows: rowsOf(file, bytes) }
    },
    catch: (cause) =>
      cause instanceof TypeError ? faultAt(file, null, "it is not UTF-8") : malformedFrom(cause, file)
  })
}

const faultAt = (file: string, line: number | null, reason: string): CmsFileMalformed =>
  new CmsFileMalformed({ file, line, reason })

const rowsOf = (file: string, bytes: Buffer): ReadonlyArray<NcdCode> => {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  const [header, ...records] = csvRecords(text, { file, cell: (cell) => cell.trim() })
  if (header === undefined || header.cells.join() !== columns.join())
    throw faultAt(file, header?.line ?? null, `its header is not ${columns.join()}`)
  const rows = new Map<string, NcdCode>()
  for (const { cells, line } of records) {
    const row = rowIn(cells)
    if (typeof row === "string") throw faultAt(file, line, row)
    const before = rows.get(ncdCodeKey(row))
    if (before !== undefined && before.role !== row.role)
      throw faultAt(file, line, "its determination and code stand in the list before, in the other role")
    rows.set(ncdCodeKey(row), row)
  }
  if (rows.size === 0) throw faultAt(file, null, "no row of it is a determination and a code")
  return [...rows.values()]
}

/** The row of a record, or why it is none. */
const rowIn = (cells: ReadonlyArray<string>): NcdCode | string => {
  if (cells.length !== columns.length) return `a row has ${columns.length} cells, this one ${cells.length}`
  const [id = "", code = "", role = "", source = "", url = ""] = cells
  const policyId = parsePolicyId(id)
  if (policyId === undefined || !policyId.startsWith("NCD "))
    return "its policy_id is no NCD, such as NCD 20.32"
  // Looked at with its dot: without it `M54.16` would look like HCPCS.
  const procedure = code.toUpperCase()
  if (procedureSystem(procedure) === undefined) return "its code is no procedure code"
  if (!isRole(role)) return "its role is neither names nor denies"
  if (source === "" || source.length > sourceCharactersMax || /\p{Cc}/u.test(source))
    return `its source is not a text of 1 to ${sourceCharactersMax} characters on one line`
  if (url !== "" && (!URL.canParse(url) || !/^https?:\/\/\S+$/.test(url) || url.length > urlCharactersMax))
    return "its source_url is no address on the web"
  return { policyId, code: procedure, role, source, sourceUrl: url === "" ? null : url }
}

const isRole = (text: string): text is NcdCodeRole => ncdCodeRoles.some((role) => role === text)
