import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterEach, describe, vi } from "vitest"
import { Calendar } from "../kit/people.ts"
import { postgresPeople } from "../stores/people.ts"
import { peopleLaws } from "../kit/peopleLaws.ts"

const live = { excludeTestServices: true }

// Only the date moves: timers, and with them the database's client, run as they do.
const calendar = Layer.succeed(Calendar, {
  pass: (ms) =>
    Effect.sync(() => {
      const nowMs = Date.now()
      if (!vi.isFakeTimers()) vi.useFakeTimers({ toFake: ["Date"] })
      vi.setSystemTime(nowMs + ms)
    })
})

afterEach(() => void vi.useRealTimers())

describe("People", () => {
  layer(Layer.merge(postgresPeople, calendar), live)("in PostgreSQL", (it) => {
    for (const law of peopleLaws) it.effect(law.says, () => law.check)
  })
})
