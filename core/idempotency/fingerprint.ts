import * as Result from "effect/Result"
import { canonicalJson } from "../json/canonicalJson.ts"

/**
 * Two requests are the same when their paths, queries and JSON bodies are; its SHA-256 is the
 * fingerprint.
 */
export const fingerprintText = (request: {
  /** The row's path, with its names still in it, and what they stand for. */
  readonly path: string
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  /** The body as it came; empty where the operation has none. */
  readonly body: string
}): string => {
  const parsed = Result.try({ try: () => JSON.parse(request.body) as unknown, catch: () => request.body })
  return canonicalJson({ ...request, body: Result.merge(parsed) })
}

/**
 * Whose key it is: the same key is another one for another organization and another operation. Its
 * SHA-256 names the record, so that no store holds the key itself. `subject` is the limits' (`org:…`,
 * `key:…` in the sandbox).
 */
export const scopeText = (scope: {
  readonly subject: string
  readonly operation: string
  readonly key: string
}): string => canonicalJson(["idempotency.v1", scope.subject, scope.operation, scope.key])
