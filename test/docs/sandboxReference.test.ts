import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { promisify } from "node:util"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { errorRow } from "../../core/error/Refusal.ts"
import { errorCodes } from "../../core/error/table.ts"
import { certifiedScope } from "../../core/operation/scope.ts"
import { blocksOf } from "../architecture/documents.ts"
import { healthy, serve } from "../http/harness.ts"
import type { ServedApp } from "../http/harness.ts"
import { sandboxClient } from "../http/sandboxCalls.ts"
import { inMemory } from "../http/stores.ts"
import { root } from "./terminal.ts"

const path = "docs/reference/sandbox.md"
const text = readFileSync(root + path, "utf8")
const [keyBlock, succeeding, anyError, ...provoking] = blocksOf({ path, text })
  .filter(({ language }) => language === "sh")
  .map((block) => block.text)

const ports = Layer.mergeAll(inMemory, MemoryLimits.layer, healthy)

describe(path, () => {
  let serving: ServedApp<Layer.Success<typeof ports>>
  const { testKey } = sandboxClient(() => serving.url)
  beforeAll(async () => {
    serving = await serve(ports)
  })
  afterAll(() => serving.close())

  /** Runs a block as a reader would, with what it names, and answers each response's status and code. */
  const run = async (block: string | undefined, environment: Readonly<Record<string, string>>) => {
    const script = (block ?? "").replaceAll("http://127.0.0.1:3000", serving.url)
    const env = { PATH: process.env["PATH"], ...environment }
    const { stdout } = await promisify(execFile)("bash", ["-ec", script], { env })
    const codes = [...stdout.matchAll(/"code":"([A-Z_]+)"/g)].map((match) => match[1])
    return { statuses: [...stdout.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => Number(match[1])), codes }
  }
  const key = async (): Promise<string> => (await testKey()).key

  it("its first request makes a key, and the others succeed one after the other", async () => {
    expect((await run(keyBlock, {})).statuses).toEqual([200])
    const certified = await testKey({ scopes: [certifiedScope] })
    // The first endpoint and delivery of this service, whose ids a reader takes from the answers.
    const own = { KEY: await key(), CERTIFIED_KEY: certified.key, WEBHOOK: "1", DELIVERY: "1" }
    const { statuses } = await run(succeeding, own)
    expect(statuses.length).toBeGreaterThan(25)
    expect(statuses.filter((status) => status !== 200)).toEqual([])
  })

  it("its request for any error is refused with the error", async () => {
    const { codes } = await run(anyError, { KEY: await key() })
    expect(codes).toEqual(["SERVER_TIMEOUT"])
  })

  it.each(errorCodes.map((code, index) => [code, index] as const))(
    "its block for %s meets it",
    async (code, index) => {
      const { codes, statuses } = await run(provoking[index], { KEY: await key() })
      expect([statuses.at(-1), codes.at(-1)]).toEqual([errorRow(code).status, code])
    }
  )
})
