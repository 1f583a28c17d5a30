import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { PolicyDocument } from "../../core/coverage/Policy.ts"
import type { PolicyContents } from "../../core/import/PolicySource.ts"
import { readMcd } from "../../adapters/cms/readMcd.ts"

/** Authored tables in the formats of the Medicare Coverage Database; no real policy is among them. */
export const fixture = (name: string): string =>
  join(import.meta.dirname, "../../apps/sandbox/fixtures", name)

/** A folder that lasts as long as the scope. */
export const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "cms-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

/** Byte for byte edits of the tables of a fixture; null leaves a table out. */
export type Edits = Readonly<Record<string, ((text: string) => string) | null>>

/** A copy of the fixture with some of its tables edited. */
export const editedFixture = Effect.fnUntraced(function* (name: string, edits: Edits) {
  const path = yield* folder
  yield* Effect.promise(async () => {
    await cp(fixture(name), path, { recursive: true })
    for (const [table, edit] of Object.entries(edits)) {
      const file = join(path, `${table}.csv`)
      if (edit === null) await rm(file)
      else await writeFile(file, edit(await readFile(file, "latin1")), "latin1")
    }
  })
  return path
})

/** The tables of a fixture as the entries of an archive. */
export const tablesOf = async (name: string): Promise<ReadonlyArray<readonly [string, Buffer]>> => {
  const files = await readdir(fixture(name))
  return Promise.all(files.map(async (file) => [file, await readFile(join(fixture(name), file))] as const))
}

/** Everything that a download says. */
export const contentsAt = (path: string) =>
  Effect.scoped(Effect.flatMap(readMcd(path), (source) => source.read))

/** The newest version of every policy, by its id. */
export const newestOf = (contents: PolicyContents): ReadonlyMap<string, PolicyDocument> =>
  new Map(
    contents.policies.flatMap(({ policyId, versions }) => {
      const version = versions.at(-1)
      return version === undefined ? [] : [[policyId, version()] as const]
    })
  )
