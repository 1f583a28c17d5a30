import * as Schema from "effect/Schema"
import type { Operation } from "./Operation.ts"
import { list } from "./field.ts"
import { scopes, certifiedScope } from "./scope.ts"

/** A new test key (contract §3), shown this once. */
export const TestKeyView = Schema.Struct({
  key: Schema.String,
  scopes: Schema.Array(Schema.Literals(scopes)),
  release_id: Schema.NullOr(Schema.String),
  expires_at: Schema.String
}).annotate({ identifier: "TestKey" })

export type TestKeyView = typeof TestKeyView.Type

/** The certified scope stands alone (contract §1, Keys). */
const scopeList = list(Schema.Literals(scopes), { min: 1, max: scopes.length }).check(
  Schema.makeFilter(
    (some: ReadonlyArray<string>) => !some.includes(certifiedScope) || new Set(some).size === 1,
    { expected: `${certifiedScope} alone, or other scopes` }
  )
)

export const testKeyRows = {
  createTestKey: {
    method: "POST",
    path: "/keys",
    summary: "Create a sandbox test key",
    requirement: null,
    feature: null,
    credits: 0,
    body: Schema.Struct({ scopes: Schema.optionalKey(scopeList) }),
    bodyOptional: true,
    example: { path: "/keys" },
    success: TestKeyView,
    refusals: {},
    perAddress: true,
    onlyOn: "sandbox"
  }
} as const satisfies Record<string, Operation>
