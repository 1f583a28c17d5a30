import { canonicalCode } from "../../core/coverage/codeText.ts"
import { canonicalCodes, procedureIn, systemIn } from "./codes.ts"
import { criterionFaults } from "./criterion.ts"
import type { Fault } from "./decodeRecord.ts"
import type { GroupRecord, RuleRecord, VersionRecord } from "./records.ts"

/** What is wrong with a version whose shape is right. */
export const versionFaults = (version: VersionRecord, pointer: string): ReadonlyArray<Fault> => {
  const groups = version.code_groups ?? []
  const criteria = version.criteria ?? []
  const procedures = new Set(
    canonicalCodes(groups.filter(({ kind }) => kind === "procedure").flatMap(({ codes }) => codes))
  )
  return [
    ...endFaults(version.effective_date, version.retire_date, `${pointer}/retire_date`),
    ...twice(
      groups.map((group) => `${group.kind} ${group.group}`),
      `${pointer}/code_groups`,
      "its kind and number stand in the version before"
    ),
    ...groups.flatMap((group, index) => groupFaults(group, procedures, `${pointer}/code_groups/${index}`)),
    ...twice(
      criteria.map((block) => block.block_id),
      `${pointer}/criteria`,
      "its block_id stands in the version before"
    ),
    ...criteria.flatMap(({ logic_ast }, index) =>
      logic_ast == null ? [] : criterionFaults(logic_ast, `${pointer}/criteria/${index}/logic_ast`)
    ),
    ...twice(
      (version.prior_auth ?? []).map((rule) => rule.rule_id),
      `${pointer}/prior_auth`,
      "its rule_id stands in the version before"
    ),
    ...(version.prior_auth ?? []).flatMap((rule, index) => ruleFaults(rule, `${pointer}/prior_auth/${index}`))
  ]
}

/** Every name that stands before in the list, by its place. */
const twice = (names: ReadonlyArray<string>, pointer: string, reason: string): ReadonlyArray<Fault> =>
  names.flatMap((name, index) =>
    names.indexOf(name) < index ? [{ pointer: `${pointer}/${index}`, reason }] : []
  )

const groupFaults = (
  group: GroupRecord,
  procedures: ReadonlySet<string>,
  pointer: string
): ReadonlyArray<Fault> => {
  const codes = new Set(canonicalCodes(group.codes))
  return [
    ...group.codes.flatMap((code, index) =>
      systemIn(group.kind, code) === undefined
        ? [{ pointer: `${pointer}/codes/${index}`, reason: "it is no code that a group of this kind holds" }]
        : []
    ),
    ...(group.asterisk_codes ?? []).flatMap((code, index) =>
      codes.has(canonicalCode(code))
        ? []
        : [{ pointer: `${pointer}/asterisk_codes/${index}`, reason: "it is none of the group's codes" }]
    ),
    ...(group.scope === undefined || group.scope === "all" ? [] : group.scope).flatMap((code, index) =>
      procedures.has(canonicalCode(code))
        ? []
        : [{ pointer: `${pointer}/scope/${index}`, reason: "no procedure group of the version lists it" }]
    )
  ]
}

const ruleFaults = (rule: RuleRecord, pointer: string): ReadonlyArray<Fault> => [
  ...rule.codes.flatMap((code, index) =>
    procedureIn(code) === undefined
      ? [{ pointer: `${pointer}/codes/${index}`, reason: "it is no procedure code" }]
      : []
  ),
  ...endFaults(rule.effective_date, rule.end_date, `${pointer}/end_date`),
  ...(rule.suspended ?? []).flatMap(({ from, until }, index) =>
    endFaults(from, until, `${pointer}/suspended/${index}/until`)
  )
]

const endFaults = (from: string, until: string | null | undefined, pointer: string): ReadonlyArray<Fault> =>
  until != null && until < from ? [{ pointer, reason: "it ends before it begins" }] : []
