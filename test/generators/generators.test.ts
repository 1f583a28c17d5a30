import { execFile } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import type * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { movableClock } from "../http/clock.ts"
import { serve } from "../http/harness.ts"
import type { ServedApp } from "../http/harness.ts"
import { sandboxOver, sandboxStores } from "../http/sandboxCalls.ts"
import { root } from "../docs/terminal.ts"

/** One generator: how it writes a client, and the program of a reader that uses the client. */
interface Generator {
  readonly name: string
  readonly program: string
  readonly command: (paths: Paths) => ReadonlyArray<string>
  readonly files?: (paths: Paths) => Readonly<Record<string, string>>
}

interface Paths {
  readonly document: string
  readonly output: string
  readonly sandboxUrl: string
}

const generators: ReadonlyArray<Generator> = [
  {
    name: "openapi-typescript",
    program: "openApiTypescript.ts",
    command: ({ document, output }) => [
      "openapi-typescript/bin/cli.js",
      document,
      "-o",
      join(output, "schema.ts")
    ]
  },
  {
    name: "@hey-api/openapi-ts",
    program: "heyApi.ts",
    command: () => ["@hey-api/openapi-ts/bin/run.js", "-f", "generator.config.mjs"],
    files: ({ document, output }) => ({
      "generator.config.mjs": `export default ${JSON.stringify({
        input: document,
        output: { path: output, module: { extension: ".ts" } }
      })}`
    })
  },
  {
    name: "orval",
    program: "orval.ts",
    command: () => ["orval/dist/bin/orval.mjs", "--config", "generator.config.mjs"],
    files: ({ document, output, sandboxUrl }) => ({
      "generator.config.mjs": `export default ${JSON.stringify({
        api: {
          input: document,
          output: { target: join(output, "api.ts"), client: "fetch", baseUrl: sandboxUrl }
        }
      })}`
    })
  }
]

const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  target: "es2024",
  lib: ["es2024", "dom", "dom.iterable"],
  module: "nodenext",
  allowImportingTsExtensions: true,
  erasableSyntaxOnly: true,
  types: ["node"],
  skipLibCheck: true
}

const quiet = { CI: "1", DO_NOT_TRACK: "1", NO_COLOR: "1", NO_UPDATE_NOTIFIER: "1" }

/** Runs Node in a folder and returns its standard output; rejects with all of its output if it fails. */
const runNode = async (cwd: string, args: ReadonlyArray<string>, env: object = {}): Promise<string> => {
  const options = { cwd, env: { ...process.env, ...quiet, ...env } }
  return promisify(execFile)(process.execPath, [...args], options).then(
    ({ stdout }) => stdout,
    (error: { readonly stdout: string; readonly stderr: string }) =>
      Promise.reject(new Error(`${args.join(" ")}\n${error.stdout}\n${error.stderr}`))
  )
}

describe("clients generated from openapi.json", () => {
  const folder = mkdtempSync(join(tmpdir(), "coverage-generators-"))
  const document = join(folder, "openapi.json")
  let serving: ServedApp<Layer.Success<ReturnType<typeof sandboxOver>>>
  let served: string
  beforeAll(async () => {
    serving = await serve(sandboxOver(sandboxStores[0][1], movableClock(Date.UTC(2026, 2, 10, 12))))
    served = await (await fetch(`${serving.url}/openapi.json`)).text()
    writeFileSync(document, served)
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
    writeFileSync(join(folder, "package.json"), '{"type":"module"}')
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    await serving.close()
  })

  /** Generates a client into a folder of its own, with the program beside it. */
  const generate = async ({ command, files, name, program }: Generator): Promise<string> => {
    const home = join(folder, name.replaceAll("/", "-"))
    const paths = { document, output: join(home, "api"), sandboxUrl: `${serving.url}/api/sandbox/v1` }
    mkdirSync(paths.output, { recursive: true })
    cpSync(join(root, "test/generators/programs", program), join(home, "program.ts"))
    const all = {
      ...files?.(paths),
      "tsconfig.json": JSON.stringify({ compilerOptions, include: ["program.ts", "api"] })
    }
    for (const [path, text] of Object.entries(all)) writeFileSync(join(home, path), text)
    const [script = "", ...args] = command(paths)
    const offline = ["--import", join(root, "test/generators/offline.ts")]
    await runNode(home, [...offline, join(root, "node_modules", script), ...args])
    return home
  }

  it.each(generators)(
    "$name generates a client that compiles strictly and calls the sandbox",
    async (one) => {
      const home = await generate(one)
      await runNode(home, [join(root, "node_modules/typescript/bin/tsc"), "-p", "."])
      const SANDBOX_URL = `${serving.url}/api/sandbox/v1`
      const printed: unknown = JSON.parse(await runNode(home, ["program.ts"], { SANDBOX_URL }))
      expect(printed).toEqual({
        ids: [expect.any(String), expect.any(String)],
        hasMore: true,
        status: expect.stringMatching(/^(covered|conditional|not_covered|unknown)$/),
        code: "RESOURCE_CODE_NOT_FOUND",
        suggestions: []
      })
    }
  )
})
