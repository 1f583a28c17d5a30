import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { faults } from "./faults.ts"

const vitest = fileURLToPath(new URL("../../../node_modules/vitest/vitest.mjs", import.meta.url))
const config = fileURLToPath(new URL("vitest.config.ts", import.meta.url))

/** Slower than the suites on a machine that is busy; a mistake may make them wait for ever. */
const suitesMsMax = 300_000

/** The test that noticed the mistake first; undefined: none did. */
const noticedBy = (says: string): string | undefined => {
  const env = { ...process.env, PLANTED: says }
  const { status, stdout } = spawnSync(process.execPath, [vitest, "run", "--config", config], {
    env,
    encoding: "utf8",
    timeout: suitesMsMax
  })
  if (status === 0) return undefined
  return /^noticed by: (.*)$/m.exec(stdout)?.[1] ?? "the suites did not end"
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

let failures = 0
const without = noticedBy("")
if (without !== undefined) {
  failures += 1
  say(`FAILED    without a mistake: ${without}`)
}
for (const { says } of faults) {
  const test = noticedBy(says)
  if (test === undefined) failures += 1
  say(test === undefined ? `SURVIVED  ${says}` : `killed    ${says}\n          by: ${test}`)
}
say(`\n${faults.length} mistakes planted in the sources, ${failures} failures`)
process.exit(failures === 0 ? 0 : 1)
