import { readdir } from "node:fs/promises"
import type { Migration } from "./migrate.ts"

const folder = new URL("./migrations/", import.meta.url)
const names = (await readdir(folder)).filter((name) => /^\d{4}-.*\.ts$/.test(name)).sort()

/** Every step of the schema in order. */
export const migrations: ReadonlyArray<Migration> = await Promise.all(names.map(async (name) => ({
  id: Number(name.slice(0, 4)),
  name: name.slice(0, -3),
  statements: (await import(new URL(name, folder).href) as { readonly statements: ReadonlyArray<string> }).statements
})))
