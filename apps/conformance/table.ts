import { alignColumns } from "../cli/table.ts"
import { checkNames } from "./Verdict.ts"
import type { Verdict } from "./Verdict.ts"

/** A row for each operation on each surface, a column for each check, and beneath it what failed and why. */
export const tableOf = (verdicts: ReadonlyArray<Verdict>): ReadonlyArray<string> => {
  const subjects = [...new Set(verdicts.map(subjectOf))]
  const rows = subjects.map((subject) => [
    subject,
    ...checkNames.map((check) =>
      cell(verdicts.filter((one) => subjectOf(one) === subject && one.check === check))
    )
  ])
  const failures = verdicts.filter(({ outcome }) => outcome === "fail").map(sentence)
  const left = verdicts.filter(({ outcome }) => outcome === "skipped").map(sentence)
  return [
    ...alignColumns([["operation", ...checkNames], ...rows]),
    ...(left.length === 0 ? [] : ["", "not checked:", ...left]),
    ...(failures.length === 0 ? [] : ["", "failed:", ...failures]),
    "",
    summary(verdicts)
  ]
}

const subjectOf = ({ operation, surface }: Verdict): string =>
  surface === "any" ? operation : `${operation} (${surface})`

const cell = (verdicts: ReadonlyArray<Verdict>): string => {
  const passed = verdicts.filter(({ outcome }) => outcome === "pass").length
  const judged = verdicts.filter(({ outcome }) => outcome !== "skipped").length
  if (judged === 0) return verdicts.length === 0 ? "" : "-"
  const count = judged > 1 ? ` ${passed}/${judged}` : ""
  return (passed === judged ? "pass" : "FAIL") + count
}

const sentence = (verdict: Verdict): string => {
  const code = verdict.code === null ? "" : ` ${verdict.code}`
  return `  ${subjectOf(verdict)}, ${verdict.check}${code}: ${verdict.reason}`
}

const summary = (verdicts: ReadonlyArray<Verdict>): string => {
  const count = (outcome: Verdict["outcome"]) => verdicts.filter((one) => one.outcome === outcome).length
  return `${count("pass")} passed, ${count("fail")} failed, ${count("skipped")} not checked`
}
