import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { customer, healthy } from "../http/harness.ts"
import { seedLibrary } from "../http/library.ts"
import { inMemory } from "../http/stores.ts"
import { documentOf, passage, save } from "../kit/library.ts"
import { fieldOf } from "./content.ts"
import type { Content } from "./content.ts"
import { callTool } from "./posting.ts"
import { serveMcp } from "./site.ts"
import type { McpSite } from "./site.ts"

const ports = Layer.mergeAll(inMemory, MemoryLimits.layer, healthy)

const long = (characters: number) => `Oxygen is "reasonable" at home. ${"word ".repeat(characters / 5)}`

/** Policies whose passages are long, and one with a single passage longer than an answer. */
const longPolicies = save(
  ...Array.from({ length: 9 }, (_, index) =>
    documentOf({
      policyId: `L6000${index}`,
      title: `Oxygen at home, part ${index}`,
      criteria: [passage("indications-1", long(9_000)), passage("limitations-1", long(4_000))]
    })
  ),
  documentOf({
    policyId: "L70000",
    title: "Hyperbaric chambers",
    criteria: [passage("indications-1", `Hyperbaric chambers. ${long(150_000)}`)]
  })
)

describe("contract §3 large answers over /mcp", () => {
  let site: McpSite<Layer.Success<typeof ports>>
  let token: string
  beforeAll(async () => {
    site = await serveMcp(ports)
    await site.run(seedLibrary)
    await site.run(longPolicies)
    const { organizationId } = await site.run(customer({ pack: "scale" }))
    token = site.token({ organizationId })
  })
  afterAll(() => site.close())

  const call = async (input: Readonly<Record<string, unknown>>) => {
    const { posted, result } = await callTool(site.url, token, "policy_research", input)
    return { characters: posted.text.length, content: fieldOf(result, "structuredContent") as Content }
  }

  it("a page that is too large is shorter, says so, and its cursor skips nothing", async () => {
    const ids: Array<unknown> = []
    let cursor: unknown
    let pages = 0
    do {
      const next = cursor === undefined ? {} : { criteria_cursor: cursor }
      const { characters, content } = await call({ q: "oxygen reasonable", limit: 100, ...next })
      expect(characters).toBeLessThan(100_000)
      const found = fieldOf(content.data, "criteria") as ReadonlyArray<unknown>
      ids.push(...found.map((one) => fieldOf(one, "criteria_id")))
      cursor = fieldOf(content.meta.parts?.["criteria"]?.["pagination"], "cursor") ?? undefined
      if (pages === 0)
        expect(content.meta.truncated).toMatchObject([
          { at: "criteria", next: expect.stringContaining("cursor") }
        ])
      pages += 1
    } while (cursor !== undefined)
    expect(pages).toBeGreaterThan(1)
    expect([ids.length, new Set(ids).size]).toEqual([19, 19])
  })

  it("a single passage that is too large is cut, and says how to read the rest", async () => {
    const { characters, content } = await call({ q: "hyperbaric" })
    expect(characters).toBeLessThan(100_000)
    expect(content.meta.truncated).toMatchObject([
      { at: "criteria.*.text", next: expect.stringContaining("policy_id") }
    ])
  })

  it("a long policy is shortened, and says so", async () => {
    const { characters, content } = await call({ policy_id: "L70000", include_codes: true })
    expect(characters).toBeLessThan(100_000)
    expect(content.meta.truncated).toMatchObject([{ at: "policy.criteria.*.*.text" }])
  })
})
