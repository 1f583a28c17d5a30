import * as Schema from "effect/Schema"

/** Age as the wire takes it: a band, never a birth date (contract §2). */
export const ageCategories = ["pediatric", "adult", "medicare_age"] as const
export type AgeCategory = (typeof ageCategories)[number]

export const sexes = ["female", "male", "other", "unknown"] as const
export type Sex = (typeof sexes)[number]

export const comparisons = ["eq", "ne", "lt", "le", "gt", "ge", "in"] as const
export type Comparison = (typeof comparisons)[number]

/**
 * A condition of a policy that a machine can judge (coverage-domain §2, logic_ast). It is three-valued: what
 * the caller did not say makes it unknown, never false. The kernel's value is the wire's `logic_ast`.
 */
export type Criterion =
  | { readonly op: "all"; readonly criteria: ReadonlyArray<Criterion> }
  | { readonly op: "any"; readonly criteria: ReadonlyArray<Criterion> }
  | { readonly op: "not"; readonly criterion: Criterion }
  /** A rule-level number or word of the caller's by name; `unit` is for people. */
  | {
      readonly op: "cmp"
      readonly param: string
      readonly comparison: Comparison
      readonly value: string | number | ReadonlyArray<string | number>
      readonly unit?: string
    }
  /** Whether any of these codes was given; codes are canonical. */
  | { readonly op: "has_code"; readonly system: string; readonly any_of: ReadonlyArray<string> }
  /** Whole years, both ends included. */
  | { readonly op: "age"; readonly min?: number; readonly max?: number }
  | { readonly op: "sex"; readonly any_of: ReadonlyArray<Sex> }
  | { readonly op: "site"; readonly any_of: ReadonlyArray<string> }
  | { readonly op: "modifier"; readonly any_of: ReadonlyArray<string> }
  | { readonly op: "specialty"; readonly any_of: ReadonlyArray<string> }
  /** At most `count` services in `days` days: history that no rule-level input holds, so mostly unknown. */
  | { readonly op: "within"; readonly count: number; readonly days: number }

const words = Schema.Array(Schema.String)
const nested = Schema.suspend((): Schema.Codec<Criterion> => Criterion)

/** The shape of `logic_ast` on the wire and in payer policies. */
export const Criterion: Schema.Codec<Criterion> = Schema.Union([
  Schema.Struct({ op: Schema.Literal("all"), criteria: Schema.Array(nested) }),
  Schema.Struct({ op: Schema.Literal("any"), criteria: Schema.Array(nested) }),
  Schema.Struct({ op: Schema.Literal("not"), criterion: nested }),
  Schema.Struct({
    op: Schema.Literal("cmp"),
    param: Schema.String,
    comparison: Schema.Literals(comparisons),
    value: Schema.Union([
      Schema.String,
      Schema.Number,
      Schema.Array(Schema.Union([Schema.String, Schema.Number]))
    ]),
    unit: Schema.optionalKey(Schema.String)
  }),
  Schema.Struct({ op: Schema.Literal("has_code"), system: Schema.String, any_of: words }),
  Schema.Struct({
    op: Schema.Literal("age"),
    min: Schema.optionalKey(Schema.Int),
    max: Schema.optionalKey(Schema.Int)
  }),
  Schema.Struct({ op: Schema.Literal("sex"), any_of: Schema.Array(Schema.Literals(sexes)) }),
  Schema.Struct({ op: Schema.Literal("site"), any_of: words }),
  Schema.Struct({ op: Schema.Literal("modifier"), any_of: words }),
  Schema.Struct({ op: Schema.Literal("specialty"), any_of: words }),
  Schema.Struct({ op: Schema.Literal("within"), count: Schema.Int, days: Schema.Int })
])
