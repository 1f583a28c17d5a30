import { describe, expect, it } from "vitest"
import { boundaryViolations } from "./boundaries.ts"
import { readSources, formatViolations, sourceFolders } from "./Source.ts"
import type { Source } from "./Source.ts"

/** A file written only to break one rule, which the checker must name. */
interface Planted {
  readonly rule: string
  readonly files: ReadonlyArray<Source>
}

const file = (path: string, text: string): Source => ({ path, text })

const planted: ReadonlyArray<Planted> = [
  { rule: "relative imports end in .ts", files: [file("core/key/Key.ts", `import { a } from "./state"`)] },
  {
    rule: "Effect is imported module by module",
    files: [file("apps/cli/main.ts", `import { Effect } from "effect"`)]
  },
  { rule: "core opens only Effect and itself", files: [file("core/key/Key.ts", `import fs from "node:fs"`)] },
  {
    rule: "core opens only Effect and itself",
    files: [file("core/port/Keys.ts", `import Redis from "ioredis"`)]
  },
  {
    rule: "core opens only Effect and itself",
    files: [file("core/key/Key.ts", `import { pool } from "../../adapters/postgres/Database.ts"`)]
  },
  {
    rule: "kernel rooms open Effect's data modules only",
    files: [file("core/limit/window.ts", `import * as Effect from "effect/Effect"`)]
  },
  {
    rule: "kernel rooms open Effect's data modules only",
    files: [file("core/limit/window.ts", `import type { Layer } from "effect/Layer"`)]
  },
  {
    rule: "rooms of effects open no technology of Effect",
    files: [file("core/port/Keys.ts", `import * as SqlClient from "effect/sql/SqlClient"`)]
  },
  {
    rule: "kernel rooms open no room of effects",
    files: [file("core/key/Key.ts", `import { Keys } from "../port/Keys.ts"`)]
  },
  { rule: "core has no barrels", files: [file("core/key/all.ts", `export * from "./Key.ts"`)] },
  { rule: "core has no barrels", files: [file("core/key/all.ts", `export { parse } from "./Key.ts"`)] },
  {
    rule: "an adapter opens no other adapter",
    files: [file("adapters/redis/Limits.ts", `import { layer } from "../memory/Limits.ts"`)]
  },
  {
    rule: "an adapter opens no other adapter",
    files: [file("adapters/fast/batcher.ts", `import { layer } from "../redis/Limits.ts"`)]
  },
  {
    rule: "an adapter opens one technology",
    files: [file("adapters/redis/Limits.ts", `import "@effect/sql-pg/PgClient"`)]
  },
  {
    rule: "an adapter opens one technology",
    files: [file("adapters/memory/Keys.ts", `await import("ioredis")`)]
  },
  {
    rule: "an adapter opens one technology",
    files: [file("adapters/unlisted/Keys.ts", `import fs from "node:fs"`)]
  },
  {
    rule: "imports point inwards",
    files: [file("adapters/http/routes.ts", `import { config } from "../../apps/http/config.ts"`)]
  },
  {
    rule: "imports point inwards",
    files: [file("apps/http/main.ts", `import { laws } from "../../test/kit/limitsLaws.ts"`)]
  },
  {
    rule: "imports make no cycle",
    files: [
      file("core/key/a.ts", `import type { B } from "./b.ts"`),
      file("core/key/b.ts", `import { c } from "./c.ts"`),
      file("core/key/c.ts", `import { a } from "./a.ts"`)
    ]
  },
  {
    rule: "the folders of core make no cycle",
    files: [
      file("core/key/a.ts", `import type { B } from "../limit/b.ts"`),
      file("core/limit/c.ts", `import { d } from "../key/d.ts"`)
    ]
  }
]

describe("the walls between kernel, ports, adapters and apps", () => {
  it("stand in the whole tree", () => {
    expect(formatViolations(boundaryViolations(readSources(sourceFolders)))).toEqual([])
  })

  it.each(planted)("a planted breach is caught: $rule ($files.0.path)", ({ rule, files }) => {
    expect(boundaryViolations(files).map((violation) => violation.rule)).toContain(rule)
  })

  it("let through what the architecture allows", () => {
    const allowed = [
      file(
        "core/port/Keys.ts",
        `import * as Effect from "effect/Effect"\nimport { parse } from "../key/Key.ts"`
      ),
      file("core/key/Key.ts", `import * as Schema from "effect/Schema"\nexport const parse = Schema`),
      file(
        "adapters/redis/Keys.ts",
        `import Redis from "ioredis"\nimport { Keys } from "../../core/port/Keys.ts"`
      ),
      file("adapters/redis/Limits.ts", `import { makeBatcher } from "../fast/batcher.ts"`),
      file("apps/http/layers.ts", `import { layer } from "../../adapters/redis/Keys.ts"`)
    ]
    expect(boundaryViolations(allowed)).toEqual([])
  })
})
