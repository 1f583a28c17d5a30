import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { Group } from "./Fault.ts"
import { groups } from "./faults.ts"

/**
 * Runs the suites of each area without a mistake and then with each one planted, two at a time. Words on the
 * command line choose the areas or mistakes that say them.
 */
const vitest = fileURLToPath(new URL("../../../node_modules/vitest/vitest.mjs", import.meta.url))
const config = fileURLToPath(new URL("vitest.config.ts", import.meta.url))

/** Slower than the suites on a machine that is busy; a mistake may make them wait for ever. */
const suitesMsMax = 300_000

const runsAtOnce = 2

/** The test that noticed the mistake first; undefined: none did. */
const noticedBy = (area: string, says: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    const env = { ...process.env, AREA: area, PLANTED: says }
    const child = spawn(process.execPath, [vitest, "run", "--config", config], {
      env,
      stdio: ["ignore", "pipe", "ignore"]
    })
    const late = setTimeout(() => child.kill("SIGKILL"), suitesMsMax)
    const output: Array<string> = []
    child.stdout.setEncoding("utf8").on("data", (text: string) => output.push(text))
    child.on("close", (status) => {
      clearTimeout(late)
      if (status === 0) return resolve(undefined)
      resolve(/^noticed by: (.*)$/m.exec(output.join(""))?.[1] ?? "the suites did not end in order")
    })
  })

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const wanted = process.argv.slice(2)
const isWanted = (text: string): boolean => wanted.length === 0 || wanted.some((word) => text.includes(word))

const plan = Object.entries(groups).flatMap(([area, group]: readonly [string, Group]) => {
  const chosen = group.faults.filter(({ says }) => isWanted(area) || isWanted(says))
  return chosen.length === 0 ? [] : ["", ...chosen.map(({ says }) => says)].map((says) => ({ area, says }))
})

const counts = { killed: 0, survived: 0, broken: 0 }
const tryOne = async ({ area, says }: { readonly area: string; readonly says: string }): Promise<void> => {
  const test = await noticedBy(area, says)
  if (says === "") {
    if (test === undefined) return
    counts.broken += 1
    return say(`FAILED    ${area}, without a mistake: ${test}`)
  }
  counts[test === undefined ? "survived" : "killed"] += 1
  say(test === undefined ? `SURVIVED  ${area}: ${says}` : `killed    ${area}: ${says}\n          by: ${test}`)
}

const rest = plan.values()
await Promise.all(
  Array.from({ length: runsAtOnce }, async () => {
    for (const one of rest) await tryOne(one)
  })
)

const { broken, killed, survived } = counts
say(`\n${killed + survived} mistakes planted in the sources: ${killed} killed, ${survived} survived`)
process.exit(survived + broken === 0 ? 0 : 1)
