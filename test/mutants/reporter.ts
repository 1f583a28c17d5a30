import type { Reporter, TestCase } from "vitest/node"

/** Says of each mutant which law killed it, and counts them: what `npm run test:mutants` prints. */
export class MutantsReporter implements Reporter {
  #killed = 0
  #laws = 0
  readonly #survivors: Array<string> = []

  onTestCaseResult(testCase: TestCase): void {
    const { killedBy, lawsThatKill } = testCase.meta()
    this.#laws += lawsThatKill ?? 0
    if (testCase.result().state === "passed") {
      if (typeof killedBy !== "string") return
      this.#killed += 1
      return console.log(`killed    ${mutantOf(testCase)}\n          by: ${killedBy}`)
    }
    this.#survivors.push(mutantOf(testCase))
    const { errors } = testCase.result()
    console.log(`SURVIVED  ${mutantOf(testCase)}\n          ${errors?.[0]?.message ?? "was not run"}`)
  }

  onTestRunEnd(_: unknown, errors: ReadonlyArray<{ readonly message: string }>): void {
    for (const { message } of errors) console.log(message)
    console.log(
      `\n${this.#killed} mutants killed, ${this.#survivors.length} failures; ${this.#laws} laws that each kill one`
    )
  }
}

const mutantOf = ({ parent, name }: TestCase): string =>
  "name" in parent ? `${parent.name.replace(/^the laws of (.*) notice that it$/, "$1")}: ${name}` : name
