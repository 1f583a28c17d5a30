import { medicare } from "../Payer.ts"
import type { PriorAuthContents, PriorAuthList, PriorAuthRow, PriorAuthRule } from "../PriorAuthRule.ts"
import { familyOf } from "./programs.ts"

/** What the lists say of some codes, and every list that was looked at for them. */
export interface PriorAuthAmong {
  readonly rules: ReadonlyArray<PriorAuthRule>
  readonly lists: ReadonlyArray<PriorAuthList>
}

/**
 * Every rule of the lists that names one of the codes, whatever the day, and every list: by program, the
 * rules in the order of their list. All lists are traditional Medicare's.
 */
export const rulesAmong = (
  contents: Iterable<PriorAuthContents>,
  codes: ReadonlyArray<string>
): PriorAuthAmong => {
  const asked = new Set(codes)
  const lists = [...contents].toSorted((a, b) => (a.program < b.program ? -1 : 1))
  return {
    rules: lists.flatMap(({ program, rows }) =>
      rows.flatMap((row, index) => (asked.has(row.code) ? [ruleOf(program, row, index)] : []))
    ),
    lists: lists.map(({ program, listAsOf, sourceUrl }) => ({ program, listAsOf, sourceUrl }))
  }
}

const ruleOf = (program: string, row: PriorAuthRow, index: number): PriorAuthRule => {
  const { code, ...given } = row
  return {
    ...given,
    ...familyOf(program, code),
    ruleId: `${program}-${String(index + 1).padStart(idDigits, "0")}`,
    payerCode: medicare.code,
    program,
    codes: [code],
    suspended: []
  }
}

/** Ids of one list sort as its rows do. */
const idDigits = 5
