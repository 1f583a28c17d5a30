/** The files of CMS that an import reads one at a time. */
export type CmsFileKind = "hcpcs" | "icd10cm" | "pfs" | "ncci" | "mue"

interface FileKind {
  /** The names that CMS gives the file in its zips. */
  readonly member: RegExp
  /** Other files of a zip whose names look alike. */
  readonly excludes: RegExp
  /** Of several files, the one to read. */
  readonly preferred: RegExp
  /** Completes "take …" in a message. */
  readonly take: string
}

const nothing = /^(?!)/

/** One row per kind. */
export const cmsFileKinds: Readonly<Record<CmsFileKind, FileKind>> = {
  hcpcs: {
    member: /^hcpc.*(anweb|contr).*\.txt$/i,
    excludes: /layout|trans/i,
    preferred: nothing,
    take: "the fixed-width text file, such as HCPC2026_JAN_ANWEB.txt,"
  },
  icd10cm: {
    member: /^icd10cm.*order.*\.txt$/i,
    excludes: /addend/i,
    preferred: nothing,
    take: "the order file, such as icd10cm-order-2026.txt,"
  },
  pfs: {
    member: /^pprrvu.*\.csv$/i,
    excludes: nothing,
    preferred: /non[-_ ]?qpp/i,
    take: "the relative value file, such as PPRRVU2026_Jan_nonQPP.csv,"
  },
  ncci: {
    member: /^cci.*\.txt$/i,
    excludes: nothing,
    preferred: nothing,
    take: "the tab-separated text file, such as ccipra-v321r0-f1.txt,"
  },
  mue: {
    member: /mue.*\.(csv|txt)$/i,
    excludes: nothing,
    preferred: /\.csv$/i,
    take: "the CSV file, such as MCR_MUE_PractitionerServices_Eff_01-01-2026.csv,"
  }
}

/** Whether macOS added the file to a zip or folder; it has the name of a real one and other bytes. */
export const isHiddenMember = (path: string): boolean => /(^|\/)(__MACOSX\/|\._)/.test(path)
