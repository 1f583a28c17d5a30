import { readFileSync } from "node:fs"

// Counts the tests of vitest's JSON report. A file that could not be loaded has no tests and counts as one failure,
// and so does a run that failed outside every test, so that the last line never claims what the exit code denies.
const [path = "", failedBefore] = process.argv.slice(2)

const read = () => {
  try {
    return JSON.parse(readFileSync(path, "utf8"))
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, testResults: [] }
  }
}

const report = read()
const unloaded = report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0)
const counted = report.numFailedTests + unloaded.length
for (const file of unloaded) console.log(`could not be loaded: ${file.name}`)
if (counted === 0 && failedBefore === "1") console.log("failed outside the tests: see the steps above")
if (report.numPassedTests + counted === 0) console.log("no test ran")

for (const file of report.testResults)
  for (const { status, fullName, failureMessages } of file.assertionResults)
    if (status === "failed")
      console.log(`failed: ${file.name}: ${fullName}: ${String(failureMessages?.[0]).split("\n", 1)[0]}`)

const failed = counted === 0 && (failedBefore === "1" || report.numPassedTests === 0) ? 1 : counted
process.exitCode = failed > 0 ? 1 : 0
console.log(`${report.numPassedTests} passed, ${failed} failed`)
