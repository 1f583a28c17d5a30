import { describe, expect, it } from "vitest"
import { newCall } from "../../../core/call/pipeline.ts"
import { contentOf } from "../../../core/call/answer.ts"
import { surfaces } from "../../../core/call/surfaces.ts"
import { targetOfTool } from "../../../core/call/targets.ts"
import { errorRow } from "../../../core/error/Refusal.ts"
import { errorCodes } from "../../../core/error/table.ts"
import type { ErrorCode } from "../../../core/error/table.ts"
import { toolHint } from "../../../core/mcp/toolHints.ts"
import { toolNames } from "../../../core/mcp/tools.ts"

/** Codes of steps and operations that no tool has: keys, idempotency keys, releases and the sandbox. */
const notOfTools: ReadonlyArray<ErrorCode> = errorCodes.filter((code) =>
  /^(AUTH_KEY|AUTHZ_(IP|ORIGIN)|REQUEST_IDEMPOTENCY|RESOURCE_RELEASE|REQUEST_FORMAT)/.test(code)
)

const overHttp =
  /\/api\/|\b(GET|POST|PATCH|DELETE)\b|\bquery\b|\bbody\b|\bheader|X-|Retry-After|fuzzy=|parameter/

describe("contract §3 a tool's hint names tools, not HTTP paths", () => {
  it.each(errorCodes.filter((code) => !notOfTools.includes(code)))("%s", (code) => {
    const { hint } = errorRow(code)
    expect(toolHint(code) ?? hint).not.toMatch(overHttp)
    expect(toolHint(code) ?? hint).toMatch(/\.$|\{support\}$/)
  })

  it("names no tool that does not exist", () => {
    const known: ReadonlyArray<string> = toolNames
    for (const code of errorCodes)
      for (const [name] of (toolHint(code) ?? "").matchAll(
        /\b[a-z]+_(lookup|research|check|review|health)\b/g
      ))
        expect(known).toContain(name)
  })

  it("is the hint of a refused call, also where a handler has one for HTTP", () => {
    const target = targetOfTool("coverage_lookup")
    const publication = { baseUrl: "https://coverage.example", supportUrl: "https://help.example" }
    const envelope = { requestId: "req_1", now: "2026-01-01T00:00:00.000Z", today: "2026-01-01", publication }
    const call = newCall({} as never, envelope as never, { surface: surfaces.mcp, target })
    const refusal = {
      _tag: "Refusal",
      code: "RESOURCE_JURISDICTION_NOT_FOUND",
      details: undefined,
      hint: "GET /api/v1/jurisdictions lists them."
    } as const
    expect(contentOf(call, refusal).error?.hint).toContain("directory_lookup")
  })
})
