import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import type { FieldFault } from "../error/details.ts"
import { operationRow } from "../operation/catalogue.ts"
import type { OperationId, WriteId } from "../operation/catalogue.ts"
import { jsonSchemaOf } from "../operation/jsonSchema.ts"
import type { JsonSchema } from "../operation/jsonSchema.ts"
import { decoder } from "../operation/validate.ts"
import { fieldFault, pointerStep } from "../error/fieldFaults.ts"
import { fieldName, joinWords } from "../error/fieldName.ts"
import { nearestName } from "../error/nearestName.ts"

/** What a tool may run: it changes nothing. */
export type ReadId = Exclude<OperationId, WriteId>

/** What an operation is sent, as a caller over HTTP would write it. */
export interface OperationInput {
  readonly params?: Readonly<Record<string, string | undefined>>
  /** A name without a value is left out. */
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: object
}

/** One operation that a call of a tool runs, under the name of its place in the answer. */
export interface Part {
  readonly name: string
  readonly operation: ReadId
  readonly sent: OperationInput
  /** Selects what the answer shows of the operation's data; undefined: all of it. */
  readonly show: Show | undefined
}

/** The selected data, with what `meta` reports of the selection. */
export type Show = (data: unknown) => { readonly data: unknown; readonly meta: object }

/** What a way runs for one part of its answer. */
interface WayPart<Input> {
  readonly operation: ReadId
  readonly from: (input: Input) => OperationInput
  readonly show?: (input: Input) => Show
}

/** What a tool runs when its arguments are so: each part has a name, an operation and what that is sent. */
export interface Way<Input> {
  /** Absent: whatever the arguments are. */
  readonly when?: (input: Input) => boolean
  readonly parts: Readonly<Record<string, WayPart<Input>>>
}

/**
 * A read-only tool for agents (contract §3, MCP). Its price, its answer's shape and its checks derive from
 * the operations it runs.
 */
export interface ToolRow<Input> {
  readonly title: string
  /** For an agent that has to choose: what it answers, when to use it, what not to expect. */
  readonly description: string
  /** Its arguments bear the names of the operations' own fields, so that every fault is told where it is. */
  readonly input: Schema.ConstraintDecoder<Input>
  /** Arguments of which a call needs at least one, whichever its way. */
  readonly needsOneOf?: ReadonlyArray<keyof Input & string>
  /** The first whose arguments are so is run; all cost the same, so that a price can be told beforehand. */
  readonly ways: readonly [Way<Input>, ...ReadonlyArray<Way<Input>>]
}

/** A tool whose arguments have been given their type: what is told of it, and how it is asked. */
export interface Tool extends Pick<ToolRow<never>, "title" | "description"> {
  readonly input: Schema.ConstraintDecoder<unknown>
  /** The operations of each way, by the name of their part. */
  readonly ways: ReadonlyArray<Readonly<Record<string, ReadId>>>
  /** The arguments as JSON Schema. It is closed: an unknown argument is refused (contract §3). */
  readonly schema: JsonSchema
  /** Cost units of a call, credits and limits alike (contract §3). */
  readonly credits: number
  /** What a call runs, in this order. */
  readonly partsOf: (input: unknown) => Result.Result<ReadonlyArray<Part>, ReadonlyArray<FieldFault>>
}

/** Where a call's arguments stand in pointers to their faults. */
export const argumentsBase = "/arguments"

/** Gives a row its general type; its schema is compiled once. */
export const tool = <Input>(row: ToolRow<Input>): Tool => {
  const decode = decoder(row.input)
  const schema = jsonSchemaOf(row.input, { closedAt: "/body" })
  const known = Object.keys(Object(schema["properties"]))
  const ways = row.ways.map(({ parts }) =>
    Object.fromEntries(Object.entries(parts).map(([name, { operation }]) => [name, operation]))
  )
  return {
    ...row,
    schema,
    ways,
    credits: costOf(ways[0] ?? {}),
    partsOf: (input) => {
      const sent = Object.keys(Object(input))
      const unknown = sent.filter((name) => !known.includes(name))
      const faults = [...unknown.map((name) => unknownArgument(name, known)), ...missing(row, sent)]
      const read = Result.mapError(decode(input, argumentsBase), (more) => [...faults, ...more])
      if (Result.isSuccess(read) && faults.length > 0) return Result.fail(faults)
      return Result.map(read, (arguments_) => partsOf(row, arguments_))
    }
  }
}

/** An unknown argument, with the known one that it most likely means. */
const unknownArgument = (name: string, known: ReadonlyArray<string>): FieldFault => {
  const path = argumentsBase + pointerStep(name)
  const nearest = nearestName(name, known)
  const suggestion = nearest === undefined ? "" : ` Did you mean \`${nearest}\`?`
  const all = known.length === 0 ? "It takes none." : `Its arguments are ${joinWords(known, "and")}.`
  const message = `${fieldName(path)} is not an argument of this tool.${suggestion} ${all}`
  return fieldFault(path, "unknown_field", message)
}

const missing = (
  { needsOneOf }: { readonly needsOneOf?: ReadonlyArray<string> },
  sent: ReadonlyArray<string>
): ReadonlyArray<FieldFault> =>
  needsOneOf === undefined || needsOneOf.some((name) => sent.includes(name))
    ? []
    : [
        fieldFault(
          argumentsBase,
          "required",
          `Give at least one of ${joinWords(
            needsOneOf.map((name) => `\`${name}\``),
            "or"
          )}.`
        )
      ]

/** What the operations of a way cost together. */
export const costOf = (way: Readonly<Record<string, ReadId>>): number =>
  Object.values(way).reduce((sum, operation) => sum + operationRow(operation).credits, 0)

const partsOf = <Input>(row: ToolRow<Input>, input: Input): ReadonlyArray<Part> => {
  const way = row.ways.find(({ when }) => when === undefined || when(input)) ?? row.ways[0]
  return Object.entries(way.parts).map(([name, { operation, from, show }]) => ({
    name,
    operation,
    sent: from(input),
    show: show?.(input)
  }))
}
