/** One thing to prove: the file without which it cannot be, and the command that proves it. */
export interface Step {
  readonly name: string
  readonly needs: string
  /**
   * Whether what it needs is an installed tool; otherwise it is a part of the project that may not be there
   * yet.
   */
  readonly tool: boolean
  readonly command: ReadonlyArray<string>
  /** The command that also mends what it can, for `npm run format`. */
  readonly mending?: ReadonlyArray<string>
}

/** Tools with a binary per platform are run by path, as their umbrella packages are not installed. */
const platform = `${process.platform}-${process.arch}`
const biome = `node_modules/@biomejs/cli-${platform}/biome`
const tsc = `node_modules/@effect/tsgo-${platform}/lib/tsc`
const vitest = "node_modules/vitest/vitest.mjs"
const generator = "apps/reference/main.ts"

/** What `npm run check` proves, the quickest first. */
export const steps: ReadonlyArray<Step> = [
  {
    name: "style",
    needs: biome,
    tool: true,
    command: [biome, "check", "--max-diagnostics=50"],
    mending: [biome, "check", "--write", "--max-diagnostics=50"]
  },
  { name: "types", needs: tsc, tool: true, command: [tsc, "-p", "."] },
  { name: "core knows no platform", needs: tsc, tool: true, command: [tsc, "-p", "tsconfig.core.json"] },
  { name: "the client knows no Node", needs: tsc, tool: true, command: [tsc, "-p", "tsconfig.client.json"] },
  {
    name: "generated files are fresh",
    needs: generator,
    tool: false,
    command: [process.execPath, generator, "--check"]
  },
  {
    name: "architecture, documents and kernel",
    needs: vitest,
    tool: true,
    command: [
      process.execPath,
      vitest,
      "run",
      "--config",
      "test/architecture/vitest.config.ts",
      "--reporter=dot"
    ]
  }
]

/** Why a step could not be taken, and what to do about it. */
export const absence = ({ needs, tool }: Step): string =>
  tool
    ? `  not checked: ${needs} is absent; run npm ci, or check on linux-x64 (this is ${platform})`
    : `  not checked: ${needs} is not part of this tree`
