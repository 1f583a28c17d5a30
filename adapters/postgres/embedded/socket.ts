import { createHash } from "node:crypto"
import { chown, lstat, mkdir } from "node:fs/promises"
import { join } from "node:path"
import { EmbeddedRefused } from "./EmbeddedRefused.ts"
import { absent, exists } from "./dataDirectory.ts"
import type { Place } from "./dataDirectory.ts"

/** The port in the socket's name; nothing listens on the network. */
export const socketName = ".s.PGSQL.5432"

/** Linux keeps 107 bytes for a socket's path and macOS 103. */
export const socketPathBytesMax = 103

// Not the process's TMPDIR: every process of a cluster must come to the same folder.
const shortFolder = "/tmp"

/**
 * The folder of the socket: beside the data, or where that path is too long for a socket, a folder in the
 * system's temporary folder that only the owner can enter. Whoever else made that folder first is refused,
 * not trusted.
 */
export const socketFolder = async (place: Place): Promise<string> => {
  const folder = shortEnough(join(place.folder, "socket")) ?? join(shortFolder, digest(place))
  const made = await mkdir(folder, { mode: 0o700 }).then(() => true, exists)
  if (made && place.owner.uid !== process.geteuid?.()) await chown(folder, place.owner.uid, place.owner.gid)
  const found = await lstat(folder).catch(absent)
  if (found?.isDirectory() && found.uid === place.owner.uid && (found.mode & 0o077) === 0) return folder
  throw new EmbeddedRefused({
    message: `${folder} belongs to somebody else: remove it, or set a shorter DATA_DIR.`
  })
}

const shortEnough = (folder: string): string | undefined =>
  Buffer.byteLength(join(folder, socketName)) <= socketPathBytesMax ? folder : undefined

const digest = (place: Place): string =>
  `coverage-policy-${createHash("sha256").update(place.folder).digest("hex").slice(0, 16)}`
