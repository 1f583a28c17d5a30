import { randomBytes } from "node:crypto"
import { chmod, link, lstat, mkdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Account } from "./account.ts"
import { account, nobody, self } from "./account.ts"
import { EmbeddedRefused } from "./EmbeddedRefused.ts"

/** Where one cluster lives and who runs it. */
export interface Place {
  readonly dataDir: string
  /** Holds this cluster's `data`, `socket` and `postgresql.log`. */
  readonly folder: string
  /** Where releases of PostgreSQL are staged. */
  readonly releases: string
  /** Runs PostgreSQL, which refuses to run as root. */
  readonly owner: Account
}

/**
 * Everything root starts lives here, for `nobody` cannot enter a private home or a folder that root keeps
 * closed.
 */
export const rootFolder = "/var/lib/coverage-policy"

/** The file in DATA_DIR by which a cluster of root's is found again. */
export const clusterFile = (dataDir: string) => join(dataDir, "cluster.json")

/** The file in a cluster of root's that says which DATA_DIR it belongs to. */
export const dataDirFile = (folder: string) => join(folder, "data-dir.json")

/** The id that DATA_DIR names, or nothing. */
export const namedCluster = async (dataDir: string): Promise<string | undefined> => {
  const text = await readFile(clusterFile(dataDir), "utf8").catch(absent)
  if (text === undefined) return undefined
  const id: unknown = JSON.parse(text).id
  if (typeof id === "string" && /^[0-9a-f]{16}$/.test(id)) return id
  throw new EmbeddedRefused({
    message: `${clusterFile(dataDir)} is damaged: restore it, or set another DATA_DIR.`
  })
}

/**
 * Finds or makes the cluster's place. Started by root on a folder that an ordinary user filled, PostgreSQL
 * runs as that user, so that both may start it in turn; the reverse is refused, since nobody but root can
 * reach root's place.
 */
export const place = async (requested: string): Promise<Place> => {
  await mkdir(requested, { recursive: true, mode: 0o700 })
  const dataDir = await realpath(requested)
  const inside = join(dataDir, "postgres")
  const found = await lstat(join(inside, "data")).catch(absent)
  if (self().uid !== 0) {
    if (found === undefined && (await namedCluster(dataDir)) !== undefined) {
      throw new EmbeddedRefused({
        message: `${dataDir} was first used by root: run as root again, or set another DATA_DIR.`
      })
    }
    await mkdir(inside, { recursive: true, mode: 0o700 })
    return { dataDir, folder: inside, releases: inside, owner: self() }
  }
  if (found !== undefined && found.uid !== 0) {
    return { dataDir, folder: inside, releases: inside, owner: account(found.uid, found.gid) }
  }
  return { dataDir, folder: await rootCluster(dataDir), releases: rootFolder, owner: nobody() }
}

const rootCluster = async (dataDir: string): Promise<string> => {
  await mkdir(rootFolder, { recursive: true, mode: 0o711 })
  await chmod(rootFolder, 0o711)
  const id = (await namedCluster(dataDir)) ?? (await newCluster(dataDir))
  const folder = join(rootFolder, id)
  const claimed = await readFile(dataDirFile(folder), "utf8").catch(absent)
  if (claimed === undefined) {
    throw new EmbeddedRefused({
      message:
        `${clusterFile(dataDir)} names the database in ${folder}, which is gone: ` +
        `restore that folder, or delete ${clusterFile(dataDir)} to begin with an empty database.`
    })
  }
  if (claimed !== JSON.stringify({ dataDir })) await claim(folder, dataDir)
  return folder
}

// The folder comes first and the name is linked into DATA_DIR last: whoever links first wins, and a crash
// in between leaves a folder that nobody names, which the sweep takes.
const newCluster = async (dataDir: string): Promise<string> => {
  const id = randomBytes(8).toString("hex")
  const folder = join(rootFolder, id)
  const name = join(dataDir, `cluster.${id}.json`)
  await mkdir(folder, { mode: 0o711 })
  await claim(folder, dataDir)
  await writeFile(name, `${JSON.stringify({ id })}\n`, { mode: 0o600 })
  const won = await link(name, clusterFile(dataDir)).then(() => true, exists)
  await rm(name)
  if (won) return id
  await rm(folder, { recursive: true })
  return (await namedCluster(dataDir)) ?? id
}

const claim = async (folder: string, dataDir: string) => {
  const beside = `${dataDirFile(folder)}.${randomBytes(4).toString("hex")}`
  await writeFile(beside, JSON.stringify({ dataDir }), { mode: 0o600 })
  await rename(beside, dataDirFile(folder))
}

const code = (cause: unknown) => (cause instanceof Error && "code" in cause ? cause.code : undefined)

/** What is not there is nothing; any other failure is one. */
export const absent = (cause: unknown): undefined => {
  if (code(cause) === "ENOENT" || code(cause) === "ENOTDIR") return undefined
  throw cause
}

/** Whoever came first won; any other failure is one. */
export const exists = (cause: unknown): false => {
  if (code(cause) === "EEXIST" || code(cause) === "ENOTEMPTY") return false
  throw cause
}
