import type { EditTable } from "../../core/coverage/editTables.ts"

/**
 * The services that a table of edits speaks of, as its name or its header says: CMS names its files
 * `ccipra-v321r0-f1.txt`, `ccioph-…`, `MCR_MUE_PractitionerServices_Eff_01-01-2026.csv` and so on. Undefined:
 * neither says it, and the operator must.
 */
export const serviceNamed = (text: string): EditTable | undefined =>
  writings.find(({ pattern }) => pattern.test(text))?.service

const writings: ReadonlyArray<{ readonly service: EditTable; readonly pattern: RegExp }> = [
  { service: "practitioner", pattern: /ccipra|practitioner/i },
  { service: "outpatient_hospital", pattern: /ccioph|outpatient/i },
  { service: "dme_supplier", pattern: /(^|[^a-z])dme|dmesupplier|dme[ _-]supplier/i }
]
