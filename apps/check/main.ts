import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { absence, steps } from "./steps.ts"
import type { Step } from "./steps.ts"

/**
 * `npm run check`: everything that can be proven without a server, one line a step. A failing step prints
 * what it said; the others still run. With `--strict` a step whose tool this platform lacks fails instead of
 * being left out; with `--mend` only the steps run that can mend what they find, and do.
 */
const main = (flags: ReadonlySet<string>): void => {
  const chosen = flags.has("--mend") ? steps.flatMap(mended) : steps
  const results = chosen.map((step) => report(take(step)))
  const failed = results.filter(
    ({ step, outcome }) =>
      outcome === "failed" || (flags.has("--strict") && outcome === "absent" && step.tool)
  )
  if (failed.length === 0) return
  console.error(`check failed: ${failed.map(({ step }) => step.name).join(", ")}`)
  process.exitCode = 1
}

const mended = (step: Step): ReadonlyArray<Step> =>
  step.mending === undefined ? [] : [{ ...step, command: step.mending }]

interface Result {
  readonly step: Step
  readonly outcome: "ok" | "failed" | "absent"
  readonly seconds: number
  readonly says: string
}

/** A step that hangs fails. The longest takes 60 s alone, and several times that on a shared machine. */
const stepTimeoutMs = 300_000

const root = fileURLToPath(new URL("../../", import.meta.url))

const take = (step: Step): Result => {
  if (!existsSync(root + step.needs)) return { step, outcome: "absent", seconds: 0, says: absence(step) }
  const start = performance.now()
  const [command = "", ...rest] = step.command
  const { status, stdout, stderr, error } = spawnSync(command, rest, {
    cwd: root,
    env: { ...process.env, NO_COLOR: "1" },
    encoding: "utf8",
    maxBuffer: 64 * 1_024 * 1_024,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: stepTimeoutMs
  })
  return {
    step,
    outcome: status === 0 ? "ok" : "failed",
    seconds: (performance.now() - start) / 1_000,
    says: status === 0 ? "" : [stdout, stderr, error?.message ?? ""].join("\n").trim()
  }
}

const report = (result: Result): Result => {
  console.log(`${result.outcome.padEnd(6)} ${result.seconds.toFixed(1).padStart(5)} s  ${result.step.name}`)
  if (result.says !== "") console.log(result.says)
  return result
}

main(new Set(process.argv.slice(2)))
