import { spawn } from "node:child_process"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import type * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeAsk } from "../../apps/conformance/request.ts"
import { checkElsewhere } from "../../apps/conformance/checks/elsewhere.ts"
import { conform } from "../../apps/conformance/conform.ts"
import { tableOf } from "../../apps/conformance/table.ts"
import { checkNames } from "../../apps/conformance/Verdict.ts"
import type { Verdict } from "../../apps/conformance/Verdict.ts"
import { refusalsOf } from "../../core/admission/gates.ts"
import { errorCodes } from "../../core/error/table.ts"
import { operationIds, operationRow } from "../../core/operation/catalogue.ts"
import { movableClock } from "../http/clock.ts"
import { customer, serve } from "../http/harness.ts"
import type { ServedApp } from "../http/harness.ts"
import { seedLibrary } from "../http/library.ts"
import { sandboxOver, sandboxStores } from "../http/sandboxCalls.ts"
import { plantedFaults } from "./plantedFaults.ts"
import { plantedMeanings } from "./plantedMeanings.ts"
import { startTamperingProxy } from "./tampering.ts"

const silent = () => {}
const planted = [...plantedFaults, ...plantedMeanings]
const failing = (verdicts: ReadonlyArray<Verdict>) => verdicts.filter(({ outcome }) => outcome === "fail")

describe.each(sandboxStores)("conformance of our own server, keys and records in %s", (_, stores) => {
  let serving: ServedApp<Layer.Success<ReturnType<typeof sandboxOver>>>
  beforeAll(async () => {
    serving = await serve(sandboxOver(stores, movableClock(Date.now())), ["127.0.0.0/8"])
    await serving.run(seedLibrary)
  })
  afterAll(() => serving.close())

  it("every check of every operation passes, and the live ones stay within their credits", {
    timeout: 120_000
  }, async () => {
    const made = await serving.run(customer({ pack: "scale", record: { scopes: ["read", "write"] } }))
    const settings = { baseUrl: serving.url, key: made.key, credits: 50, only: undefined, say: silent }
    const verdicts = await conform(settings)
    expect(failing(verdicts)).toEqual([])
    for (const id of operationIds) {
      const mine = verdicts.filter(({ operation, surface }) => operation === id && surface === "sandbox")
      const codes = mine.flatMap(({ code }) => code ?? [])
      expect([id, codes]).toEqual([id, refusalsOf(operationRow(id))])
      const checks = new Set(mine.map(({ check }) => check))
      expect([id, checks.has("answer"), checks.has("etag")]).toEqual([
        id,
        true,
        operationRow(id).etag === true
      ])
      expect([id, checks.has("cursor")]).toEqual([id, operationRow(id).paged === true])
    }
    const documented = verdicts.filter(({ operation }) => operation === "(documented requests)")
    expect(documented.map(({ code }) => code)).toEqual(errorCodes)
    for (const one of verdicts)
      expect(one.outcome === "skipped").toBe(one.outcome !== "pass" && one.reason !== null)
  })
})

describe("a server that gets one thing wrong", () => {
  let serving: ServedApp<Layer.Success<ReturnType<typeof sandboxOver>>>
  let key = ""
  beforeAll(async () => {
    serving = await serve(sandboxOver(sandboxStores[0][1], movableClock(Date.now())), ["127.0.0.0/8"])
    await serving.run(seedLibrary)
    key = (await serving.run(customer({ pack: "scale", record: { scopes: ["read", "write"] } }))).key
  })
  afterAll(() => serving.close())

  it.each(planted.map((fault, index) => [fault.says, fault, index] as const))(
    "%s: named in its cell and in no other",
    { timeout: 60_000 },
    async (_, { also = [], check, code, operation, surface = "sandbox", tamper, told = "" }, index) => {
      const proxy = await startTamperingProxy(serving.url, tamper(), `203.0.113.${index + 1}`)
      const verdicts = await conform({ baseUrl: proxy.url, key, credits: 5, only: [operation], say: silent })
      proxy.close()
      const failed = failing(verdicts)
      expect(failed).toContainEqual(
        expect.objectContaining({
          operation,
          check,
          surface,
          code: code ?? null,
          reason: expect.stringContaining(told)
        })
      )
      const others = failed.filter((one) => one.check !== check && !also.includes(one.check))
      expect(others).toEqual([])
      if (code !== undefined) expect(failed.map((one) => one.code)).toEqual(failed.map(() => code))
      const table = tableOf(verdicts)
      const line = table.find((text) => text.startsWith(`${operation} (${surface})`)) ?? ""
      expect(line).toContain("FAIL")
      expect(table.join("\n")).toContain(
        `  ${operation} (${surface}), ${check}${code === undefined ? "" : ` ${code}`}: `
      )
    }
  )

  it("an unknown path is answered in HTML", async () => {
    const tamper = {
      answer: () => ({ status: 404, headers: { "content-type": "text/html" }, body: "<h1>Not found</h1>" })
    }
    const proxy = await startTamperingProxy(serving.url, tamper, "203.0.113.250")
    const failed = failing(await checkElsewhere(makeAsk(proxy.url)))
    proxy.close()
    expect(failed).toHaveLength(6)
    expect(failed[0]?.reason).toContain("/api/v1/nothing")
  })

  it("each check has found something", () => {
    const found = new Set(planted.map(({ check }) => check))
    expect(checkNames.filter((name) => !found.has(name))).toEqual([])
  })

  const main = fileURLToPath(new URL("../../apps/conformance/main.ts", import.meta.url))
  const run = async (args: ReadonlyArray<string>, stdin = "") => {
    const child = spawn(process.execPath, [main, ...args], { stdio: "pipe" })
    child.stdin.end(stdin)
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve))
    const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr)])
    return { code: await ended, said, complained }
  }

  it("the command exits 0 on a sound server, with JSON when asked, and shows no key", {
    timeout: 60_000
  }, async () => {
    const only = ["--only", "getPayer,health"]
    const sound = await run(["--base-url", serving.url, "--key", "-", "--json", ...only], key)
    expect([sound.code, sound.complained]).toEqual([0, ""])
    const { verdicts } = JSON.parse(sound.said) as { readonly verdicts: ReadonlyArray<Verdict> }
    expect(new Set(verdicts.map(({ outcome }) => outcome))).toEqual(new Set(["pass"]))
    expect(sound.said).not.toContain(key)
  })

  it("the command exits 1 when a check fails, and names it", { timeout: 60_000 }, async () => {
    const proxy = await startTamperingProxy(
      serving.url,
      { answer: (returned) => ({ ...returned, status: 500 }) },
      "203.0.113.251"
    )
    const wrong = await run(["--base-url", proxy.url, "--only", "getPayer"])
    proxy.close()
    expect(wrong.code).toBe(1)
    expect(wrong.said).toMatch(/^getPayer \(sandbox\) +FAIL/m)
    expect(wrong.said).toMatch(/^ {2}getPayer \(sandbox\), answer: answered 500/m)
    expect(wrong.said).toMatch(/\d+ passed, \d+ failed, 1 not checked/)
  })

  it("the command exits 1 where nobody listens, and 2 when it is misused", { timeout: 60_000 }, async () => {
    const closed = createServer()
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve))
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const nobody = await run(["--base-url", `http://127.0.0.1:${port}`, "--only", "health"])
    expect([nobody.code, nobody.said]).toEqual([1, expect.stringContaining("could not be carried out")])
    for (const args of [
      [],
      ["--base-url", "nowhere"],
      ["--base-url", "http://a", "--only", "fly"],
      ["--loud"]
    ]) {
      const misused = await run(args)
      expect([args, misused.code, misused.said]).toEqual([args, 2, ""])
      expect(misused.complained).not.toBe("")
    }
  })
})
