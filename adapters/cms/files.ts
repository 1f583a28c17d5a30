import { createReadStream } from "node:fs"
import { readdir, stat } from "node:fs/promises"
import { basename, join } from "node:path"
import type { Readable } from "node:stream"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { fromBufferPromise, openPromise } from "yauzl"
import type { Entry, ZipFile } from "yauzl"
import { CmsFileMalformed, malformedFrom } from "./CmsFileMalformed.ts"
import { isHiddenMember } from "./fileKinds.ts"

/** One table of the export, wherever it lies; `open` may be called again to read it again. */
export interface CmsFile {
  /** Lower case, without folders: `lcd_x_hcpc_code.csv`. */
  readonly name: string
  /** The path through folders and archives, for messages and for choosing between copies. */
  readonly path: string
  readonly open: () => Promise<Readable>
}

/** CMS packs a zip of `*_csv.zip`; deeper nesting is no export. */
const archiveDepthMax = 3
/** Unpacked size of one table: the largest real one has 70 MB. */
const tableBytesMax = 1_000_000_000
/** An archive inside an archive is held in memory: the largest real one has 30 MB. */
const innerArchiveBytesMax = 300_000_000

/**
 * The CSV tables of a folder, of a CMS zip, or of zips within it, sorted by path. Archives stay open until
 * the scope ends, because every table is read twice: once for its hash and encoding, once for its rows.
 */
export const csvFiles = (
  path: string
): Effect.Effect<ReadonlyArray<CmsFile>, CmsFileMalformed, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.suspend(() => {
      const archives: Array<ZipFile> = []
      return Effect.tryPromise({
        try: async () => ({ archives, files: await filesAt({ path, archives }) }),
        catch: (cause) => {
          closeAll(archives)
          return malformedFrom(cause, basename(path))
        }
      })
    }),
    ({ archives }) => Effect.sync(() => closeAll(archives))
  ).pipe(Effect.map(({ files }) => files.toSorted((a, b) => (a.path < b.path ? -1 : 1))))

const closeAll = (archives: ReadonlyArray<ZipFile>): void => {
  for (const archive of archives) archive.close()
}

interface Place {
  readonly path: string
  readonly archives: Array<ZipFile>
}

const filesAt = async ({ path, archives }: Place): Promise<ReadonlyArray<CmsFile>> => {
  if (!(await stat(path)).isDirectory()) return fileAt({ path, archives })
  const paths = (await readdir(path)).toSorted().map((name) => join(path, name))
  const found = await Promise.all(paths.map((each) => fileAt({ path: each, archives })))
  return found.flat()
}

const fileAt = async ({ path, archives }: Place): Promise<ReadonlyArray<CmsFile>> => {
  const name = basename(path).toLowerCase()
  if (isHiddenMember(path)) return []
  if (!name.endsWith(".csv") && !name.endsWith(".zip")) return []
  // Opening a pipe would block until another process writes to it.
  if (!(await stat(path)).isFile()) throw irregular(path)
  if (name.endsWith(".csv")) return [{ name, path, open: async () => createReadStream(path) }]
  const archive = await openPromise(path, { lazyEntries: true, autoClose: false })
  return filesIn({ archive, archives, path, depth: 1 })
}

interface Archive {
  readonly archive: ZipFile
  readonly archives: Array<ZipFile>
  readonly path: string
  readonly depth: number
}

const filesIn = async (outer: Archive): Promise<ReadonlyArray<CmsFile>> => {
  outer.archives.push(outer.archive)
  const files: Array<CmsFile> = []
  for await (const entry of outer.archive.eachEntry()) files.push(...(await entryFiles(outer, entry)))
  return files
}

const entryFiles = async (outer: Archive, entry: Entry): Promise<ReadonlyArray<CmsFile>> => {
  const path = `${outer.path}/${entry.fileName}`
  const name = basename(entry.fileName).toLowerCase()
  if (isHiddenMember(entry.fileName)) return []
  if (name.endsWith(".csv")) {
    if (entry.uncompressedSize > tableBytesMax) throw tooLarge(path)
    return [{ name, path, open: () => outer.archive.openReadStreamPromise(entry) }]
  }
  if (!name.endsWith(".zip") || outer.depth >= archiveDepthMax) return []
  if (entry.uncompressedSize > innerArchiveBytesMax) throw tooLarge(path)
  const bytes = await bytesOf(await outer.archive.openReadStreamPromise(entry))
  const archive = await fromBufferPromise(bytes, { lazyEntries: true, autoClose: false })
  return filesIn({ ...outer, archive, path, depth: outer.depth + 1 })
}

const bytesOf = async (stream: Readable): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

const irregular = (path: string): CmsFileMalformed =>
  new CmsFileMalformed({ file: basename(path), line: null, reason: "it is not a regular file" })

const tooLarge = (path: string): CmsFileMalformed =>
  new CmsFileMalformed({ file: basename(path), line: null, reason: "it unpacks to more than a real one" })
