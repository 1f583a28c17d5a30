import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { absent, dataDirFile, namedCluster, rootFolder } from "./dataDirectory.ts"
import { stop } from "./cluster.ts"

/**
 * A cluster must have been unnamed for a day before it is removed: a DATA_DIR on a disk that is not mounted
 * at the moment looks exactly like one that was deleted.
 */
export const unnamedMs = 24 * 60 * 60 * 1000

/** Removes clusters of root's whose DATA_DIR no longer names them. Answers the ids it removed. */
export const sweep = async (nowMs: number, root: string = rootFolder): Promise<ReadonlyArray<string>> => {
  const removed: Array<string> = []
  for (const id of (await readdir(root).catch(absent)) ?? []) {
    if (/^[0-9a-f]{16}$/.test(id) && (await outlived(root, id, nowMs))) {
      await stop(join(root, id, "data"))
      await rm(join(root, id), { recursive: true, force: true })
      removed.push(id)
    }
  }
  return removed
}

const outlived = async (root: string, id: string, nowMs: number): Promise<boolean> => {
  const folder = join(root, id)
  const mark = join(folder, "unnamed")
  const claimed = await readFile(dataDirFile(folder), "utf8").catch(absent)
  const dataDir = claimed === undefined ? undefined : String(JSON.parse(claimed).dataDir)
  if (dataDir !== undefined && (await namedCluster(dataDir)) === id) {
    await rm(mark, { force: true })
    return false
  }
  const marked = await stat(mark).catch(absent)
  if (marked !== undefined) return nowMs - marked.mtimeMs >= unnamedMs
  await writeFile(mark, "")
  return false
}
