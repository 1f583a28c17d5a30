import { execFile, spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import * as LocalLimits from "../../adapters/memory/Limits.ts"
import { customer, healthy, serve } from "./harness.ts"
import { seedLibrary } from "./library.ts"
import { inMemory } from "./stores.ts"

const hasJava = spawnSync("java", ["-version"]).status === 0
const source = fileURLToPath(new URL("java/DefaultClient.java", import.meta.url))

describe.skipIf(!hasJava)("Java's default client (skipped: no JDK is installed)", () => {
  it("contract §1 sends its bodies and keeps its connection, though it offers an upgrade", async () => {
    const served = await serve(Layer.mergeAll(inMemory, healthy, LocalLimits.layer))
    await served.run(seedLibrary)
    const { key } = await served.run(customer({ pack: "scale" }))
    const { stdout } = await promisify(execFile)("java", [source, served.url, key])
    expect(stdout.trim().split("\n")).toEqual(["POST 200 HTTP_1_1", "GET 200 HTTP_1_1", "POST 200 HTTP_1_1"])
    await served.close()
  }, 60_000)
})
