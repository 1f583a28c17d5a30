import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

/**
 * One part of the run: its suites, which of their tests, and on how many histories each property is tried.
 */
interface Stage {
  readonly name: string
  readonly suites: ReadonlyArray<string>
  readonly only?: string
  readonly histories: number
}

/** The suites whose laws draw histories and bind to memory as to a real store. */
const laws = ["limits", "ledger", "keys", "idempotency", "dayUses"].map(
  (port) => `test/adapters/${port}.test.ts`
)

/** For the kernel and memory; a real store takes about a millisecond a step, so it gets fewer. */
const histories = Number(process.env["COVERAGE_HISTORIES"] ?? 100_000)
const coverageCases = Number(process.env["COVERAGE_HISTORIES"] ?? 10_000)
const storeHistories = Number(process.env["COVERAGE_STORE_HISTORIES"] ?? 2_000)

const stages: ReadonlyArray<Stage> = [
  {
    name: "kernel",
    suites: ["test/core", "test/adapters/keyCache.test.ts", "test/adapters/encryption.test.ts"],
    histories
  },
  // The cases that coverage decisions promise to have no false `covered` in, by themselves.
  { name: "coverage decisions", suites: ["test/core/coverageOracle.test.ts"], histories: coverageCases },
  { name: "laws over memory", suites: laws, only: "in memory|Limits: memory", histories },
  {
    name: "laws over PostgreSQL",
    suites: laws,
    only: "in PostgreSQL",
    histories: storeHistories
  },
  // Not the limits that degrade: a machine too busy to answer within a command's timeout degrades them
  // rightly.
  {
    name: "laws over Redis",
    suites: laws,
    only: "Limits: redis( with|\\W+\\d)",
    histories: 10 * storeHistories
  }
]

/** A property that runs for more than two hours does not end by itself. */
const propertyMsMax = 7_200_000

const root = fileURLToPath(new URL("../..", import.meta.url))

const run = ({ name, suites, only, histories: count }: Stage): boolean => {
  console.log(`\n${name}: ${count} histories per property`)
  const beganMs = performance.now()
  const chosen = only === undefined ? [] : ["--testNamePattern", only]
  const { status } = spawnSync(
    process.execPath,
    [
      "node_modules/vitest/vitest.mjs",
      "run",
      "--reporter=verbose",
      `--testTimeout=${propertyMsMax}`,
      ...chosen,
      ...suites
    ],
    { cwd: root, stdio: "inherit", env: { ...process.env, COVERAGE_HISTORIES: String(count) } }
  )
  console.log(
    `${name}: ${status === 0 ? "passed" : "failed"} in ${Math.round((performance.now() - beganMs) / 1_000)} s`
  )
  return status === 0
}

const asked = process.argv[2]
const chosen = stages.filter(({ name }) => asked === undefined || name.includes(asked))
process.exitCode = chosen.length > 0 && chosen.map(run).every((passed) => passed) ? 0 : 1
