import * as Schema from "effect/Schema"
import { Criterion } from "../../core/coverage/Criterion.ts"
import type { IsoDate } from "../../core/coverage/date.ts"
import { isIsoDate } from "../../core/coverage/date.ts"
import {
  codeGroupKinds,
  criteriaSections,
  diagnosisRoles,
  dispositions,
  policyTypes
} from "../../core/coverage/Policy.ts"
import { stateNames } from "../../core/coverage/stateNames.ts"
import { sites } from "../../core/coverage/site.ts"
import { policyIdCharactersMax } from "../../core/coverage/policyId.ts"

/**
 * The lines of a file of payer policies (docs/payer-policies.md). Members that are not listed here are
 * refused, so that a misspelt one is not lost.
 */

const expected = (words: string) => ({ expected: words })

const isText = (text: string): boolean => text.trim() === text && text !== "" && !/\p{Cc}/u.test(text)
const Line = Schema.String.pipe(
  Schema.check(Schema.makeFilter(isText, expected("text of one line, without spaces around it"))),
  Schema.check(Schema.isMaxLength(500))
)
/** Text of several lines. */
const Prose = Schema.String.pipe(
  Schema.check(
    Schema.makeFilter((text) => text.trim() !== "" && !/[^\P{Cc}\n\t]/u.test(text), expected("text"))
  ),
  Schema.check(Schema.isMaxLength(50_000))
)
const Day = Schema.String.pipe(
  Schema.check(Schema.makeFilter(isIsoDate, expected("a day, YYYY-MM-DD")))
) as Schema.Codec<IsoDate, string>
const Slug = Schema.String.pipe(
  Schema.check(
    Schema.makeFilter(
      (text) => /^[a-z0-9][a-z0-9_-]{0,62}$/.test(text),
      expected("lower-case letters, digits, - and _")
    )
  )
)
const State = Schema.String.pipe(
  Schema.check(
    Schema.makeFilter((text) => Object.hasOwn(stateNames, text), expected("a state of two capital letters"))
  )
)
const Url = Schema.String.pipe(
  Schema.check(
    Schema.makeFilter(
      (text) => /^https?:\/\/[^\s]+$/.test(text) && URL.canParse(text),
      expected("a web address")
    )
  )
)
const Positive = Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: 9_999 })))

const words = Schema.Array(Line)
const states = Schema.Array(State).pipe(Schema.check(Schema.isMinLength(1)))
const maybe = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** `{"record": "source", …}`: the day the file speaks of. */
export const SourceRecord = Schema.Struct({ record: Schema.Literal("source"), as_of: Day })
export type SourceRecord = typeof SourceRecord.Type

/** `{"record": "payer", …}` */
export const PayerRecord = Schema.Struct({
  record: Schema.Literal("payer"),
  code: Slug,
  name: Line,
  type: Slug,
  lines_of_business: Schema.Array(Slug).pipe(Schema.check(Schema.isMinLength(1)))
})
export type PayerRecord = typeof PayerRecord.Type

export const GroupRecord = Schema.Struct({
  group: Positive,
  kind: Schema.Literals(codeGroupKinds),
  codes: Schema.Array(Line).pipe(Schema.check(Schema.isMinLength(1))),
  asterisk_codes: Schema.optionalKey(words),
  paragraph: maybe(Prose),
  asterisk_text: maybe(Prose),
  scope: Schema.optionalKey(Schema.Union([Schema.Literal("all"), words])),
  role: Schema.optionalKey(Schema.Literals(diagnosisRoles)),
  disposition: Schema.optionalKey(Schema.Literals(dispositions))
})
export type GroupRecord = typeof GroupRecord.Type

const CriterionRecord = Schema.Struct({
  block_id: Line,
  section: Schema.Literals(criteriaSections),
  text: Prose,
  logic_ast: maybe(Criterion),
  tags: maybe(words),
  requires_manual_review: Schema.optionalKey(Schema.Boolean),
  confidence_score: maybe(Schema.Number.pipe(Schema.check(Schema.isBetween({ minimum: 0, maximum: 1 }))))
})

export const RuleRecord = Schema.Struct({
  rule_id: Line,
  category: Line,
  codes: Schema.Array(Line).pipe(Schema.check(Schema.isMinLength(1))),
  states: Schema.Union([Schema.Literal("all"), states]),
  sites: Schema.Union([
    Schema.Literal("all"),
    Schema.Array(Schema.Literals(sites)).pipe(Schema.check(Schema.isMinLength(1)))
  ]),
  effective_date: Day,
  end_date: maybe(Day),
  suspended: Schema.optionalKey(Schema.Array(Schema.Struct({ from: Day, until: maybe(Day) }))),
  documentation: Schema.optionalKey(words),
  source_url: maybe(Url)
})
export type RuleRecord = typeof RuleRecord.Type

export const VersionRecord = Schema.Struct({
  title: Line,
  status: Schema.optionalKey(Schema.Literals(["active", "retired", "proposed"])),
  effective_date: Day,
  retire_date: maybe(Day),
  last_reviewed_date: maybe(Day),
  description: maybe(Prose),
  keywords: Schema.optionalKey(words),
  states: Schema.optionalKey(states),
  source_url: maybe(Url),
  code_groups: Schema.optionalKey(Schema.Array(GroupRecord)),
  criteria: Schema.optionalKey(Schema.Array(CriterionRecord)),
  related: Schema.optionalKey(
    Schema.Array(Schema.Struct({ policy_id: Line, policy_type: Schema.Literals(policyTypes) }))
  ),
  prior_auth: Schema.optionalKey(Schema.Array(RuleRecord))
})
export type VersionRecord = typeof VersionRecord.Type

/** `{"record": "policy", …}` with its versions, the oldest first. */
export const PolicyRecord = Schema.Struct({
  record: Schema.Literal("policy"),
  policy_id: Line.pipe(Schema.check(Schema.isMaxLength(policyIdCharactersMax))),
  policy_type: Schema.Literals(["PayerPolicy", "Medical Policy", "Drug Policy"]),
  payer_code: Slug,
  line_of_business: maybe(Slug),
  versions: Schema.Array(VersionRecord).pipe(Schema.check(Schema.isMinLength(1)))
})
export type PolicyRecord = typeof PolicyRecord.Type
