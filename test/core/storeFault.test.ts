import { describe, expect, it } from "vitest"
import { sentStatementFault, statementFault } from "../../core/error/StoreFault.ts"

const rows = [
  { _tag: "ConnectionError", code: "ECONNREFUSED", operation: "connect", fault: "unreachable" },
  { _tag: "AuthenticationError", code: "28P01", operation: "connect", fault: "unreachable" },
  { _tag: "UnknownError", code: "57P01", operation: "execute", fault: "unreachable" },
  { _tag: "UnknownError", code: "57P03", operation: "connect", fault: "unreachable" },
  { _tag: "UnknownError", code: "53300", operation: "connect", fault: "unreachable" },
  { _tag: "UnknownError", code: "25006", operation: "execute", fault: "unreachable" },
  { _tag: "UnknownError", code: "53100", operation: "execute", fault: "unreachable" },
  { _tag: "AuthorizationError", code: "42501", operation: "execute", fault: "unreachable" },
  { _tag: "UnknownError", code: "3D000", operation: "connect", fault: "unreachable" },
  { _tag: "UnknownError", code: undefined, operation: "connect", fault: "unreachable" },
  { _tag: "StatementTimeoutError", code: "57014", operation: "execute", fault: "timeout" },
  { _tag: "LockTimeoutError", code: "55P03", operation: "execute", fault: "timeout" },
  { _tag: "UnknownError", code: "25P03", operation: "execute", fault: "timeout" },
  { _tag: "UnknownError", code: "25P04", operation: "execute", fault: "timeout" },
  { _tag: "UniqueViolation", code: "23505", operation: "execute", fault: "refused" },
  { _tag: "SerializationError", code: "40001", operation: "execute", fault: "refused" },
  { _tag: "UnknownError", code: "53300x", operation: "execute", fault: "refused" },
  { _tag: "UnknownError", code: undefined, operation: "execute", fault: "refused" }
] as const

describe("contract §1 what became of a statement that would have committed", () => {
  it.each([
    ["53100", "execute", "unreachable"],
    ["25006", "execute", "unreachable"],
    ["57P01", "execute", "unknown_outcome"],
    ["ECONNRESET", "execute", "unknown_outcome"],
    ["ECONNREFUSED", "connect", "unreachable"],
    ["23505", "execute", "refused"]
  ] as const)("%s at %s: %s", (code, operation, fault) => {
    const _tag = code.startsWith("ECONN") ? "ConnectionError" : "UnknownError"
    expect(sentStatementFault({ _tag, operation, cause: { code } })).toBe(fault)
  })
})

describe("contract §1 why a store that speaks SQL did not answer", () => {
  it.each(rows)("$_tag with $code at $operation: $fault", ({ _tag, code, operation, fault }) => {
    expect(statementFault({ _tag, operation, cause: code === undefined ? "x" : { code } })).toBe(fault)
  })
})
