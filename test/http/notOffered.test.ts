import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { errorRow } from "../../core/error/Refusal.ts"
import { healthy, serve } from "./harness.ts"
import type { ErrorBody, Serving } from "./harness.ts"
import { inMemory } from "./stores.ts"

describe("operations that other services have and this one does not", () => {
  const ports = Layer.mergeAll(inMemory, MemoryLimits.layer, healthy)
  let serving: Serving<Layer.Success<typeof ports>>
  beforeAll(async () => {
    serving = await serve(ports)
  })
  afterAll(() => serving.close())
  const hintAt = async (method: string, path: string) => {
    const response = await fetch(serving.url + path, { method })
    const { error } = (await response.json()) as ErrorBody
    expect([response.status, error.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
    return error.hint
  }

  it.each([
    ["GET", "/api/v1/rates?code=E0601", "/rates"],
    ["GET", "/api/v1/fee-schedules/2026/E0601", "/fee-schedules"],
    ["POST", "/api/v1/claims/submit", "/claims/submit"],
    ["POST", "/api/v1/graphql", "/graphql"],
    ["GET", "/api/sandbox/v1/npi/1", "/npi"]
  ])("%s %s: the hint says that the service does not offer it", async (method, path, name) =>
    expect(await hintAt(method, path)).toBe(
      `This service does not offer ${name}; the operations that it offers are listed in /docs.`
    )
  )

  it.each([
    ["GET", "/api/v1/ratesx"],
    ["GET", "/api/v1/polices"],
    ["GET", "/rates"],
    ["GET", "/api/v1"]
  ])("%s %s: the ordinary hint", async (method, path) =>
    expect(await hintAt(method, path)).toBe(errorRow("RESOURCE_NOT_FOUND").hint)
  )
})
