import * as Result from "effect/Result"
import { operationRow } from "../../core/operation/catalogue.ts"
import type { OperationId } from "../../core/operation/catalogue.ts"
import { surfacePrefix } from "../../core/operation/Operation.ts"
import type { Surface } from "../../core/operation/Operation.ts"
import { callFailure } from "./CallError.ts"
import type { CallFailed } from "./CallError.ts"

/** A request but for its headers. */
export interface WireRequest {
  readonly method: string
  /** From the root, with its query. */
  readonly path: string
  readonly body: string | undefined
}

/**
 * Writes a flat input as the row wants it: what the path names into the path, the rest into the query of a
 * GET and into the body of anything else. The service judges the values; here only what cannot be written
 * fails.
 */
export const wireRequest = (
  { id, surface }: { readonly id: OperationId; readonly surface: Surface },
  input: Readonly<Record<string, unknown>>
): Result.Result<WireRequest, CallFailed> => {
  const row = operationRow(id)
  const named = new Set([...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name))
  const wrong = [...named].find((name) => !isStep(input[name]))
  if (wrong !== undefined) return invalid(`${wrong} is missing, or nothing that a path can hold`)
  const path = row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])))
  const rest = Object.entries(input).filter(([name, value]) => !named.has(name) && value !== undefined)
  const query = row.method === "GET" ? queryOf(rest) : ""
  const prefix = surfacePrefix[row.onlyOn ?? surface]
  const body = row.body === undefined ? Result.succeed(undefined) : jsonOf(rest)
  return Result.map(body, (text) => ({ method: row.method, path: `${prefix}${path}${query}`, body: text }))
}

/** A step of dots or of nothing would lead to another operation, percent-encoded or not. */
const isStep = (value: unknown): boolean =>
  (typeof value === "string" || typeof value === "number") &&
  !/^(|\.|\.\.)$/.test(String(value)) &&
  isWellFormed(String(value))

const isWellFormed = (text: string): boolean => text.isWellFormed()

const queryOf = (members: ReadonlyArray<readonly [string, unknown]>): string => {
  const query = new URLSearchParams(
    Object.fromEntries(members.map(([name, value]) => [name, textOf(value)]))
  ).toString()
  return query === "" ? "" : `?${query}`
}

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(",") : String(value))

const jsonOf = (members: ReadonlyArray<readonly [string, unknown]>) =>
  Result.try({
    try: (): string | undefined => JSON.stringify(Object.fromEntries(members)),
    catch: () => callFailure("INPUT_INVALID", { hint: "the input is no JSON" })
  })

const invalid = (hint: string) => Result.fail(callFailure("INPUT_INVALID", { hint }))
