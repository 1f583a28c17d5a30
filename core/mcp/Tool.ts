import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import type { FieldFault } from "../error/details.ts"
import { operationRow } from "../operation/catalogue.ts"
import type { OperationId, WriteId } from "../operation/catalogue.ts"
import { jsonSchemaOf } from "../operation/jsonSchema.ts"
import { decoder } from "../operation/validate.ts"
import { unknownField } from "../error/fieldFaults.ts"

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
}

/** What a tool runs when its arguments are so: each part has a name, an operation and what that is sent. */
export interface Way<Input> {
  /** Absent: whatever the arguments are. */
  readonly when?: (input: Input) => boolean
  readonly parts: Readonly<
    Record<string, { readonly operation: ReadId; readonly from: (input: Input) => OperationInput }>
  >
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
  /** The first whose arguments are so is run; all cost the same, so that a price can be told beforehand. */
  readonly ways: readonly [Way<Input>, ...ReadonlyArray<Way<Input>>]
}

/** A tool whose arguments have been given their type: what is told of it, and how it is asked. */
export interface Tool extends Pick<ToolRow<never>, "title" | "description"> {
  readonly input: Schema.ConstraintDecoder<unknown>
  /** The operations of each way, by the name of their part. */
  readonly ways: ReadonlyArray<Readonly<Record<string, ReadId>>>
  /** Whether arguments that it does not know are refused; elsewhere they are ignored (contract §1). */
  readonly closed: boolean
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
  const known: ReadonlySet<string> = new Set(Object.keys(Object(jsonSchemaOf(row.input)["properties"])))
  const ways = row.ways.map(({ parts }) =>
    Object.fromEntries(Object.entries(parts).map(([name, { operation }]) => [name, operation]))
  )
  const closed = ways.flatMap(Object.values<ReadId>).some(isClosed)
  return {
    ...row,
    ways,
    closed,
    credits: costOf(ways[0] ?? {}),
    partsOf: (input) => {
      const unknown = closed ? Object.keys(Object(input)).filter((name) => !known.has(name)) : []
      const faults = unknown.map((name) => unknownField(argumentsBase, name, [...known]))
      const read = Result.mapError(decode(input, argumentsBase), (more) => [...faults, ...more])
      if (Result.isSuccess(read) && faults.length > 0) return Result.fail(faults)
      return Result.map(read, (arguments_) => partsOf(row, arguments_))
    }
  }
}

/** Whether its body refuses members that it does not know; a tool's arguments then do, too (contract §1). */
const isClosed = (operation: ReadId): boolean => operationRow(operation).closed?.at === "/body"

/** What the operations of a way cost together. */
export const costOf = (way: Readonly<Record<string, ReadId>>): number =>
  Object.values(way).reduce((sum, operation) => sum + operationRow(operation).credits, 0)

const partsOf = <Input>(row: ToolRow<Input>, input: Input): ReadonlyArray<Part> => {
  const way = row.ways.find(({ when }) => when === undefined || when(input)) ?? row.ways[0]
  return Object.entries(way.parts).map(([name, { operation, from }]) => ({
    name,
    operation,
    sent: from(input)
  }))
}
