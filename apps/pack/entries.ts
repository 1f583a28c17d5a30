import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import description from "../../package.json" with { type: "json" }

/**
 * The doors of the package, written beside what was built, since the project itself imports each thing from
 * where it stands: `./core`, which is every port and the tables they speak of; `./kit`, which is every law;
 * and one door for each file of laws.
 */
export const writeEntries = async (built: string): Promise<void> => {
  const write = (name: string, script: string, types = script) => {
    writeFileSync(join(built, `${name}.js`), script)
    writeFileSync(join(built, `${name}.d.ts`), types)
  }
  const ports = modulesIn(join(built, "core/port")).filter((name) => name !== "Payments")
  write(
    "core",
    [...ports.map((name) => `port/${name}`), ...tables]
      .map((path) => `export * from "./core/${path}.js"`)
      // Its Offer is another than that of Jobs.
      .concat('export { Payments, PaymentsUnavailable } from "./core/port/Payments.js"\n')
      .join("\n")
  )
  mkdirSync(join(built, "kit"))
  const laws = modulesIn(join(built, "test/kit")).filter((name) => name.endsWith("Laws"))
  for (const name of laws) write(`kit/${name}`, ...lawsDoor(name, await lawsIn(built, name)))
  write("kit/Law", "export {}\n", 'export type * from "../test/kit/Law.js"\n')
  write("kit", ["Law", ...laws].map((name) => `export * from "./kit/${name}.js"\n`).join(""))
}

/** What ports take and answer, and what a client is told. How each decides stays in its own module. */
const tables = [
  "error/ErrorRow",
  "error/Refusal",
  "error/table",
  "key/Key",
  "key/state",
  "limit/policy",
  "operation/Operation",
  "operation/catalogue",
  "operation/scope",
  "organization/Account",
  "organization/Organization",
  "organization/pack"
]

const modulesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".js"))
    .map((file) => basename(file, ".js"))

/** The laws of a file, and the classes that some of them need; not what the files lend each other. */
const lawsIn = async (built: string, name: string): Promise<ReadonlyArray<string>> => {
  const module: object = await import(join(built, "test/kit", `${name}.js`))
  return Object.keys(module).filter((each) => each.endsWith("Laws") || /^[A-Z]/.test(each))
}

/**
 * Laws draw histories with fast-check, an optional peer: who lacks it is told so, and not which of our files
 * asked for it.
 */
const lawsDoor = (
  name: string,
  exported: ReadonlyArray<string>
): readonly [script: string, types: string] => {
  const names = exported.join(", ")
  const peer = `fast-check@${description.peerDependencies["fast-check"]}`
  const says = `The laws of coverage-policy need fast-check: npm install --save-dev ${peer}`
  return [
    [
      `export const { ${names} } = await import("../test/kit/${name}.js").catch((cause) => {`,
      `  throw /'fast-check'/.test(cause) ? new Error("${says}", { cause }) : cause`,
      "})\n"
    ].join("\n"),
    `export { ${names} } from "../test/kit/${name}.js"\n`
  ]
}
