import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeAsk } from "./request.ts"
import { placeCases } from "./placeCases.ts"
import { isThere, realLibrary } from "./realLibrary.ts"

describe.skipIf(!isThere)("CMS's own tables (skipped: ../shared/data is not here)", () => {
  const runtime = ManagedRuntime.make(realLibrary)

  beforeAll(() => runtime.runPromise(Effect.void), 60_000)
  afterAll(() => runtime.dispose())

  it.each(placeCases.map((one) => [one.says, one] as const))("%s", async (_, one) => {
    const answer = await runtime.runPromise(Effect.flatMap(makeAsk, (ask) => ask(one.asked)))
    expect(answer.refusal, one.reasoning).toBeUndefined()
    expect(one.sees(answer.data), one.reasoning).toEqual(one.expect)
  })
})
