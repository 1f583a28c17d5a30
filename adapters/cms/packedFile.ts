import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import { basename } from "node:path"
import type { Readable } from "node:stream"
import { createGunzip } from "node:zlib"
import * as Effect from "effect/Effect"
import { openPromise } from "yauzl"
import { CmsFileMalformed, malformedFrom } from "./CmsFileMalformed.ts"
import type { CmsFileKind } from "./fileKinds.ts"
import { cmsFileKinds, isHiddenMember } from "./fileKinds.ts"

/** A file of CMS, plain, gzipped, or in the zip that CMS publishes. */
export interface PackedFile {
  /** Without folders; of a zip, the name of the member that is read. */
  readonly name: string
  /** Streams the unpacked bytes; may be called again. */
  readonly open: () => Promise<Readable>
}

/**
 * Finds the file to read at the path. In a zip it is the only member of its kind; a zip without one or with
 * several, and a spreadsheet, are refused with the file to take instead. Throws CmsFileMalformed.
 */
export const packedFile = async (path: string, kind: CmsFileKind): Promise<PackedFile> => {
  const name = basename(path)
  const start = await firstBytes(path)
  if (start.startsWith("504b0304")) {
    const member = memberOf(await membersOf(path), { file: name, kind })
    return { name: basename(member), open: () => memberStream(path, member) }
  }
  const fault = start.startsWith("d0cf11e0") ? spreadsheet(name, kind) : undefined
  if (fault !== undefined) throw fault
  return { name, open: async () => (start.startsWith("1f8b") ? gunzipped(path) : createReadStream(path)) }
}

/** The name of the file that `packedFile` reads. */
export const fileNameIn = (path: string, kind: CmsFileKind): Effect.Effect<string, CmsFileMalformed> =>
  Effect.tryPromise({
    try: async () => (await packedFile(path, kind)).name,
    catch: (cause) => malformedFrom(cause, basename(path))
  })

const firstBytes = async (path: string): Promise<string> => {
  const handle = await open(path)
  const start = Buffer.alloc(4)
  await handle.read(start, 0, start.length, 0).finally(() => handle.close())
  return start.toString("hex")
}

const gunzipped = (path: string): Readable => {
  const raw = createReadStream(path)
  const gunzip = createGunzip()
  raw.on("error", (error) => gunzip.destroy(error))
  return raw.pipe(gunzip)
}

/** The files of a zip without folders and without what macOS adds. */
const membersOf = async (path: string): Promise<ReadonlyArray<string>> => {
  const archive = await openPromise(path, { lazyEntries: true, autoClose: false })
  try {
    const names: Array<string> = []
    for await (const { fileName } of archive.eachEntry())
      if (!fileName.endsWith("/") && !isHiddenMember(fileName)) names.push(fileName)
    return names
  } finally {
    archive.close()
  }
}

const memberStream = async (path: string, member: string): Promise<Readable> => {
  const archive = await openPromise(path, { lazyEntries: true, autoClose: false })
  for await (const entry of archive.eachEntry()) {
    if (entry.fileName !== member) continue
    const stream = await archive.openReadStreamPromise(entry)
    stream.on("close", () => archive.close())
    return stream
  }
  archive.close()
  throw new CmsFileMalformed({ file: basename(path), line: null, reason: "it was changed while it was read" })
}

interface Zip {
  readonly file: string
  readonly kind: CmsFileKind
}

const memberOf = (members: ReadonlyArray<string>, { file, kind }: Zip): string => {
  if (members.includes("[Content_Types].xml")) throw spreadsheet(file, kind)
  const { excludes, member, preferred, take } = cmsFileKinds[kind]
  const found = members.filter((each) => member.test(basename(each)) && !excludes.test(basename(each)))
  const best = found.filter((each) => preferred.test(basename(each)))
  const [only, ...others] = best.length > 0 ? best : found
  if (only !== undefined && others.length === 0) return only
  const reason =
    only === undefined
      ? `the zip contains no file to import: take ${take}`
      : `the zip contains several files to import: unpack it and import ${namesOf([only, ...others])} one by one`
  throw new CmsFileMalformed({ file, line: null, reason })
}

/** At most this many members are named in a message. */
const membersNamedMax = 6

const namesOf = (members: ReadonlyArray<string>): string =>
  members
    .slice(0, membersNamedMax)
    .map((each) => basename(each))
    .toSorted()
    .join(", ") + (members.length > membersNamedMax ? " and the others" : "")

const spreadsheet = (file: string, kind: CmsFileKind): CmsFileMalformed =>
  new CmsFileMalformed({
    file,
    line: null,
    reason: `it is a spreadsheet: take ${cmsFileKinds[kind].take} of the same download`
  })
