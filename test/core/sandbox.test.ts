import { describe, expect, it } from "vitest"
import { errorCodes } from "../../core/error/table.ts"
import { parseKeyText } from "../../core/key/Key.ts"
import { operationRow } from "../../core/operation/catalogue.ts"
import { curlText } from "../../core/sandbox/curlText.ts"
import { reservedInputs } from "../../core/sandbox/reservedInputs.ts"
import { injectedFault } from "../../core/sandbox/injectFault.ts"
import { reservedHolder, reservedKeys } from "../../core/sandbox/reservedKeys.ts"

const call = { row: operationRow("batchCodes"), nowMs: Date.UTC(2026, 2, 10, 12) }
const silent = { params: {}, query: {}, body: "" }

describe("contract §3 reserved inputs", () => {
  it("the reserved keys are whole test keys, and written in the docs as they are", () => {
    for (const key of Object.values(reservedKeys)) {
      expect(parseKeyText(key)).toEqual({ _tag: "Key", mode: "test", key })
      expect(reservedHolder(key)?.key.scopes).toEqual(["read"])
    }
    expect(reservedKeys.revoked).toBe("svc_test_rev0ked00000000000000000000_gbsd")
  })

  it.each(errorCodes)("a reserved value asks for %s, and for where it is checked", (code) => {
    const found = injectedFault({ ...silent, query: { any: ["x", `provoke:${code}`] } }, call)
    expect(found?.refusal.code).toBe(code)
    expect(found?.step).toBeGreaterThanOrEqual(1)
    expect(found?.step).toBeLessThanOrEqual(11)
    expect(found?.limit !== undefined).toBe(code.startsWith("RATE_"))
  })

  it("the path comes before the query, the query before the body", () => {
    const body = '{"a":[{"b":"provoke:SERVER_TIMEOUT"}]}'
    const query = { q: "provoke:RESOURCE_NOT_FOUND" }
    const params = { id: "provoke:AUTH_KEY_REVOKED" }
    const codeOf = (spoken: Partial<typeof silent>) =>
      injectedFault({ ...silent, ...spoken }, call)?.refusal.code
    expect(codeOf({ body })).toBe("SERVER_TIMEOUT")
    expect(codeOf({ body, query })).toBe("RESOURCE_NOT_FOUND")
    expect(codeOf({ body, query, params })).toBe("AUTH_KEY_REVOKED")
    expect(codeOf({ body: '{"a":"to provoke:SERVER_TIMEOUT"}' })).toBeUndefined()
    expect(codeOf({ body: '{"a":"provoke:NO_SUCH_CODE","b":"provoke:AUTH_MISSING"}' })).toBe("AUTH_MISSING")
  })

  it("no documented request breaks the line it is pasted as", () => {
    for (const { first, request } of Object.values(reservedInputs))
      for (const one of first === undefined ? [request] : [first, request]) {
        expect(one.body ?? "").not.toContain("'")
        expect(curlText(one, "http://127.0.0.1:3000")).toMatch(
          /^curl -i (?:[^\n]* )?"http:\/\/127\.0\.0\.1:3000\/api\//
        )
      }
  })
})
