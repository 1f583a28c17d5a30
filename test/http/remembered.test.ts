import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { Policies } from "../../core/port/Policies.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import { inMemory } from "./stores.ts"
import { documentOf, importedAt, snapshotOf } from "../kit/library.ts"
import { movableClock } from "./clock.ts"
import { customer, healthy, serve } from "./harness.ts"
import type { ServedApp } from "./harness.ts"
import { seedLibrary } from "./library.ts"

describe("what is remembered of the library", () => {
  let reads = 0
  const counted = Layer.effect(
    Policies,
    Effect.map(Policies, (policies) => ({
      ...policies,
      find: (query: Parameters<typeof policies.find>[0]) =>
        Effect.suspend(() => {
          reads += 1
          return policies.find(query)
        })
    }))
  )
  const library = Layer.provideMerge(counted, inMemory)
  const clock = movableClock(Date.UTC(2026, 2, 10, 12))
  const ports = Layer.mergeAll(library, MemoryLimits.layer, healthy).pipe(Layer.provideMerge(clock.layer))
  let serving: ServedApp<Layer.Success<typeof ports>>
  let key = ""
  beforeAll(async () => {
    serving = await serve(ports)
    await serving.run(seedLibrary)
    key = (await serving.run(customer({ pack: "scale" }))).key
  })
  afterAll(() => serving.close())

  const title = async (headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${serving.url}/api/v1/policies/L33831`, {
      headers: { authorization: `Bearer ${key}`, ...headers }
    })
    const { data } = (await response.json()) as { readonly data: { readonly title: string } }
    return { title: data.title, etag: response.headers.get("etag") }
  }

  it("a policy is read once while the library stands, and anew when an import changed it", async () => {
    await title()
    clock.move(3_000)
    await title()
    const before = reads
    const kept = await title()
    expect((await title()).etag).toBe(kept.etag)
    expect(reads).toBe(before)
    const document = documentOf({ policyId: "L33831", title: "Manual wheelchair bases, revised" })
    const snapshot = snapshotOf({ snapshotId: "9".repeat(64) })
    await serving.run(
      Effect.flatMap(Snapshots, (snapshots) =>
        snapshots.saveHistory({ snapshot, documents: [document], at: importedAt })
      )
    )
    clock.move(300)
    const revised = await title()
    expect(revised.title).toBe("Manual wheelchair bases, revised")
    expect(revised.etag).not.toBe(kept.etag)
  })

  it("nothing is kept until a generation has settled, and nothing over midnight", async () => {
    clock.move(300)
    const before = reads
    await title()
    await title()
    expect(reads).toBe(before + 2)
    clock.move(3_000)
    await title()
    clock.move(300)
    await title()
    const settled = reads
    await title()
    expect(reads).toBe(settled)
    clock.move(86_400_000)
    await title()
    expect(reads).toBe(settled + 1)
  })
})
