import * as Schema from "effect/Schema"
import { list } from "../field.ts"
import type { Operation } from "../Operation.ts"
import { certifiedScope, scopes } from "../scope.ts"
import { TestKeyView } from "../wire/TestKey.ts"

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
    summary: "Get a free test key for the sandbox",
    requirement: null,
    feature: null,
    credits: 0,
    body: Schema.Struct({ scopes: Schema.optionalKey(scopeList) }),
    bodyOptional: true,
    success: TestKeyView,
    refusals: [],
    perAddress: true,
    onlyOn: "sandbox"
  }
} as const satisfies Record<string, Operation>
