import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { layerOf } from "../../adapters/webhook/Addresses.ts"
import { Addresses } from "../../core/port/Addresses.ts"
import { nameServer } from "../kit/nameServer.ts"
import type { NameAnswer } from "../kit/nameServer.ts"

const resolve = (server: string, name: string) =>
  Effect.provide(
    Effect.flatMap(Addresses, (addresses) => addresses.resolve(name)),
    layerOf([server])
  )

const six = "2606:4700:0000:0000:0000:0000:0000:1111"
const rows: ReadonlyArray<readonly [says: string, answer: NameAnswer, resolution: object]> = [
  [
    "both families are told, public or not",
    { four: ["8.8.8.8", "10.0.0.1"], six: [six] },
    { _tag: "Resolved", addresses: ["8.8.8.8", "10.0.0.1", "2606:4700::1111"] }
  ],
  [
    "one family alone is enough",
    { four: [], six: [six] },
    { _tag: "Resolved", addresses: ["2606:4700::1111"] }
  ],
  ["a name without an address does not resolve", { four: [], six: [] }, { _tag: "Unresolved" }],
  ["a name that does not exist does not resolve", "no_such_name", { _tag: "Unresolved" }],
  ["a server that fails says nothing of the name", "server_failure", { _tag: "ResolverDown" }]
]

describe("contract §1 name resolution", () => {
  it.live.each(rows)("%s", ([, answer, resolution]) =>
    Effect.gen(function* () {
      const server = yield* nameServer(() => answer)
      expect(yield* resolve(server, "hooks.customer.com")).toEqual(resolution)
    })
  )

  it.live("asks each time, by the whole name and from no file of the machine", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const server = yield* nameServer((name) => {
        asked.push(name)
        return "no_such_name"
      })
      for (const name of ["localhost", "hooks.customer.com", "hooks.customer.com"])
        expect(yield* resolve(server, name)).toEqual({ _tag: "Unresolved" })
      expect(asked.filter((name) => name === "hooks.customer.com").length).toBeGreaterThanOrEqual(4)
      expect(asked.every((name) => ["localhost", "hooks.customer.com"].includes(name))).toBe(true)
    })
  )

  it.live("ends within ten seconds where no server answers", () =>
    Effect.gen(function* () {
      const server = yield* nameServer(() => "silent")
      const resolution = yield* Effect.timeoutOption(resolve(server, "hooks.customer.com"), 10_000)
      expect(resolution).toMatchObject({ value: { _tag: "ResolverDown" } })
    })
  )
})
