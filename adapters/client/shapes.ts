import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import * as SchemaParser from "effect/SchemaParser"
import { operationRow } from "../../core/operation/catalogue.ts"
import type { OperationId } from "../../core/operation/catalogue.ts"

type Parse = (value: unknown) => Result.Result<unknown, unknown>

/** Compiled when first asked for: most programs call a few operations. */
const parsers = new Map<OperationId, Parse>()

/** Whether data does not fit the operation's row; members that the row does not know are nobody's fault. */
export const misfit = (id: OperationId, data: unknown): boolean => {
  const known = parsers.get(id)
  const parse = known ?? parserOf(id)
  if (known === undefined) parsers.set(id, parse)
  return Result.isFailure(parse(data))
}

const parserOf = (id: OperationId): Parse => {
  const { success } = operationRow(id)
  if (success === undefined) return Result.succeed
  return SchemaParser.decodeUnknownResult(success as unknown as Schema.ConstraintDecoder<unknown>)
}
