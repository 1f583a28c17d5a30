import { conform } from "./conform.ts"
import { readParameters } from "./parameters.ts"
import { tableOf } from "./table.ts"

/** `npm run conformance`: prints the table, and exits 1 when any check fails, 2 when it is misused. */
const main = async (args: ReadonlyArray<string>): Promise<void> => {
  const asked = await readParameters(args)
  if (typeof asked === "string") {
    console.error(asked)
    process.exitCode = 2
    return
  }
  const verdicts = await conform({ ...asked, say: (sentence) => console.error(sentence) })
  const lines = asked.json === "json" ? [JSON.stringify({ verdicts })] : tableOf(verdicts)
  console.log(lines.join("\n"))
  process.exitCode = verdicts.some(({ outcome }) => outcome === "fail") ? 1 : 0
}

await main(process.argv.slice(2))
