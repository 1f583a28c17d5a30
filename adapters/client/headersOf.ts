import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { isWrite, operationRow } from "../../core/operation/catalogue.ts"
import type { OperationId } from "../../core/operation/catalogue.ts"
import { callFailure } from "./CallError.ts"
import type { CallError } from "./CallError.ts"
import type { ValidSettings } from "./ClientSettings.ts"
import type { CallOptions } from "./method.ts"
import type { WireRequest } from "./WireRequest.ts"

/** The headers of all attempts of one call: the X-Idempotency-Key among them is drawn but once (§7.4.4). */
export const headersOf = (
  id: OperationId,
  { body }: WireRequest,
  options: CallOptions,
  { key }: ValidSettings
): Result.Result<Readonly<Record<string, string>>, CallError> => {
  const row = operationRow(id)
  const ownKey = options.idempotencyKey
  if (ownKey !== undefined && !/^[\x20-\x7e]{1,255}$/.test(ownKey))
    return Result.fail(
      callFailure("INPUT_INVALID", { hint: "idempotencyKey is not 1 to 255 of printable ASCII" })
    )
  const idempotencyKey = row.method === "GET" ? undefined : (ownKey ?? (isWrite(id) ? drawnKey() : undefined))
  return Result.succeed({
    accept: "application/json",
    ...(row.requirement === null || key === undefined
      ? {}
      : { authorization: `Bearer ${Redacted.value(key)}` }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(idempotencyKey === undefined ? {} : { "x-idempotency-key": idempotencyKey })
  })
}

/** 128 bits of chance: no two calls share a key. */
const drawnKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("")
