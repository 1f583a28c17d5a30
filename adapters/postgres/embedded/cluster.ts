import type { ChildProcess } from "node:child_process"
import { execFile, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { chown, lstat, mkdir, open, readFile, readlink, rename, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import { self } from "./account.ts"
import { EmbeddedRefused } from "./EmbeddedRefused.ts"
import type { Place } from "./dataDirectory.ts"
import { absent, exists } from "./dataDirectory.ts"
import type { Release } from "./stage.ts"

/** The account inside PostgreSQL, and its database. */
export const role = "coverage"
export const database = "coverage"

/** A shutdown writes out what is in memory; one that takes longer than this is left to finish alone. */
export const stopMsMax = 20_000

/** Beyond this the log of earlier starts is set aside, so that two files of this size are kept at most. */
export const logBytesMax = 10 * 1024 * 1024

/** A cluster on disk and how to run it. */
export interface Cluster {
  readonly place: Place
  readonly release: Release
  readonly socket: string
  readonly settings: ReadonlyArray<string>
}

/** The folder with the cluster's tables. */
export const dataOf = (place: Place): string => join(place.folder, "data")

/** The file that PostgreSQL's complaints go to. */
export const logOf = (place: Place): string => join(place.folder, "postgresql.log")

/**
 * Makes the tables' folder if it is not there: beside and renamed, so that of two first starts one wins.
 */
export const initialize = async ({ place, release }: Cluster): Promise<void> => {
  const data = dataOf(place)
  if ((await lstat(data).catch(absent)) !== undefined) return
  const beside = `${data}.${randomBytes(4).toString("hex")}`
  await ownedFolder(place, beside)
  await promisify(execFile)(
    release.initdb,
    [
      "-D",
      beside,
      "-U",
      role,
      "-A",
      "peer",
      "-E",
      "UTF8",
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--data-checksums",
      "--no-instructions"
    ],
    asOwner(place)
  ).catch((cause: { readonly stderr?: string }) => {
    throw new EmbeddedRefused({
      message:
        `PostgreSQL could not make its database in ${place.folder} (${lastLine(cause.stderr ?? "")}): ` +
        "put that right, or set DATABASE_URL."
    })
  })
  const won = await rename(beside, data).then(() => true, exists)
  if (!won) await rm(beside, { recursive: true })
}

/**
 * Starts PostgreSQL apart from this process, so that it outlives a crash of ours and no signal from our
 * terminal reaches it. Nothing of our environment goes with it: that holds secrets.
 */
export const start = async (cluster: Cluster): Promise<ChildProcess> => {
  const { place, release } = cluster
  await removeStalePid(dataOf(place))
  await writeAccess(place)
  const size = (await stat(logOf(place)).catch(absent))?.size ?? 0
  if (size > logBytesMax) await rename(logOf(place), `${logOf(place)}.1`)
  const log = await open(logOf(place), "a", 0o600)
  const settings = [...settingsOf(cluster), ...cluster.settings].flatMap((setting) => ["-c", setting])
  const child = spawn(release.postgres, ["-D", dataOf(place), ...settings], {
    ...asOwner(place),
    detached: true,
    stdio: ["ignore", log.fd, log.fd]
  })
  child.on("error", () => {})
  child.unref()
  await log.close()
  return child
}

/**
 * Asks PostgreSQL to end at once and waits until it is gone, which its pid file tells: an orphan's pid may
 * stay.
 */
export const stop = async (data: string): Promise<void> => {
  const pid = await pidOf(data)
  if (pid === undefined) return
  try {
    process.kill(pid, "SIGINT")
  } catch {
    return
  }
  for (let waited = 0; waited < stopMsMax && (await pidOf(data)) === pid; waited += 10) await setTimeout(10)
}

/** What PostgreSQL said last, for the sentence that reports a failed start. */
export const lastWords = async (place: Place): Promise<string> =>
  lastLine((await readFile(logOf(place), "utf8").catch(absent)) ?? "")

/** The process id of the server, if its pid file is there. */
export const pidOf = async (data: string): Promise<number | undefined> => {
  const text = await readFile(join(data, "postmaster.pid"), "utf8").catch(absent)
  const pid = Number(text?.split("\n")[0])
  return Number.isInteger(pid) && pid > 1 ? pid : undefined
}

// After a container was started again an old pid may be another process's, and PostgreSQL would then refuse
// to start. Where the kernel tells that the process is not in the data folder, it is not the server.
const removeStalePid = async (data: string) => {
  const pid = await pidOf(data)
  if (pid === undefined || process.platform !== "linux") return
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
  if (folder !== data && (await pidOf(data)) === pid) await rm(join(data, "postmaster.pid"), { force: true })
}

// The kernel says who is at the other end of the socket; only the owner and whoever started us may come in.
const writeAccess = async (place: Place) => {
  const names = [...new Set([place.owner.name, self().name, "root"])]
  await replace(join(place.folder, "pg_hba.conf"), `local all ${role} peer map=owner\n`)
  const map = names.map((name) => `owner "${name}" ${role}\n`).join("")
  await replace(join(place.folder, "pg_ident.conf"), map)
}

const replace = async (path: string, text: string) => {
  const beside = `${path}.${randomBytes(4).toString("hex")}`
  await writeFile(beside, text, { mode: 0o644 })
  await rename(beside, path)
}

// `log` ranks above `error` in a server's log: a refused statement would otherwise write submitted values
// there.
const settingsOf = ({ place, socket }: Cluster): ReadonlyArray<string> => [
  "listen_addresses=",
  `unix_socket_directories=${socket}`,
  "unix_socket_permissions=0700",
  `hba_file=${join(place.folder, "pg_hba.conf")}`,
  `ident_file=${join(place.folder, "pg_ident.conf")}`,
  "log_min_messages=log",
  "log_min_error_statement=panic",
  "logging_collector=off",
  "max_connections=200",
  "max_wal_size=512MB",
  "timezone=UTC",
  "log_timezone=UTC"
]

const ownedFolder = async (place: Place, folder: string) => {
  await mkdir(folder, { mode: 0o700 })
  if (place.owner.uid !== self().uid) await chown(folder, place.owner.uid, place.owner.gid)
}

const asOwner = (place: Place) => ({
  cwd: place.folder,
  env: { LC_ALL: "C", PATH: "/usr/bin:/bin" },
  ...(place.owner.uid === self().uid ? {} : { uid: place.owner.uid, gid: place.owner.gid })
})

const lastLine = (text: string): string => text.trimEnd().split("\n").at(-1)?.trim() || "it said nothing"
