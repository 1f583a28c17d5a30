import { variableNames, variables } from "../http/variables.ts"
import type { Variable } from "../http/variables.ts"
import { code, page, table } from "./markdown.ts"

/** docs/reference/configuration.md: every variable of the environment, and no other is read. */
export const configurationPage = (): string =>
  page("Configuration", "apps/http/variables.ts", [
    "All of it comes from the environment. A malformed value stops the start with one sentence that" +
      " names the variable. `npm run --silent cli -- config` shows the values in force, and of secrets only" +
      " whether they are set.",
    table(
      ["Variable", "Unless set", "What it is"],
      variableNames.map((name) => {
        const row: Variable = variables[name]
        return [code(name), standardText(row), row.describes + (row.secret === true ? " Secret." : "")]
      })
    )
  ])

const standardText = (row: Variable): string => {
  if (row.standard !== undefined) return row.standard === "" ? "none" : code(row.standard)
  return row.standardSays ?? "not set"
}
