import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { blocksOf } from "../architecture/documents.ts"
import { freePort, root, terminals } from "./terminal.ts"
import type { Terminal } from "./terminal.ts"

const guide = readFileSync(`${root}docs/quickstart.md`, "utf8")
const [start = "", answering = "", hooking = ""] = guide.split(/^## /m)

/** The client under the name that the package gives it; that it is exported so is seen in test/package. */
const client = pathToFileURL(`${root}adapters/client/client.ts`).href

/** Returns the status and the policies that the prose states for every variant; undefined if none. */
const statedIn = (text: string): string | undefined => {
  const prose = text.replaceAll("\n", " ")
  const stated =
    /Each prints the status `(\w+)` and the policies that the answer is based on, `([^`]+)`/.exec(prose)
  return stated === null ? undefined : `${stated[1]} ${stated[2]}`
}

describe("docs/quickstart.md", () => {
  const { open, close } = terminals()
  const folder = mkdtempSync(join(tmpdir(), "coverage-quick-"))
  let ports: readonly [number, number]
  /** The blocks of a part in one language, as they stand but for the ports, which are free ones. */
  const blocks = (part: string, language: string): ReadonlyArray<string> =>
    blocksOf({ path: "docs/quickstart.md", text: part })
      .filter((block) => block.language === language)
      .map(({ text }) =>
        text
          .replaceAll("127.0.0.1:3000", `127.0.0.1:${ports[0]}`)
          .replaceAll("4000", String(ports[1]))
          .replace('"coverage-policy/client"', JSON.stringify(client))
      )
  /** A block as a file, run by the program that the guide names. */
  const run = (
    language: "ts" | "python",
    text: string,
    environment: Record<string, string> = {}
  ): Terminal => {
    const [program, name] = language === "ts" ? [process.execPath, "receiver.ts"] : ["python3", "receiver.py"]
    writeFileSync(join(folder, name), text)
    return open([program, name], environment, folder)
  }
  let reader: Terminal
  beforeAll(async () => {
    ports = [await freePort(), await freePort()]
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
    writeFileSync(join(folder, "package.json"), '{"type":"module"}')
    const server = open(["bash", "-e"], { PORT: String(ports[0]) })
    server.type(blocks(start, "sh").join("\n"))
    await server.until(/listening on/)
    reader = open()
  }, 90_000)
  afterAll(() => {
    close()
    rmSync(folder, { recursive: true, force: true })
  })

  it("holds as many blocks as are run here", () => {
    const counts = ["sh", "ts", "python"].map((language) =>
      [start, answering, hooking].map((part) => blocks(part, language).length)
    )
    expect(counts).toEqual([
      [1, 1, 3],
      [0, 2, 1],
      [0, 1, 1]
    ])
  })

  it("curl gets the coverage answer that the prose states", async () => {
    // The answer ends without a line break and may arrive in pieces.
    reader.type(`${blocks(answering, "sh").join("\n")}\necho; echo "that was all."\n`)
    const answer = /\{"success":true.*/.exec(await reader.until(/that was all\./))?.[0] ?? ""
    expect(answer).toContain('"diagnosis_support":"supported"')
    const { data } = JSON.parse(answer) as {
      readonly data: {
        readonly coverage_status: string
        readonly policy_sources: ReadonlyArray<{ readonly policy_id: string }>
      }
    }
    const policies = data.policy_sources.map((source) => source.policy_id).join(", ")
    expect(`${data.coverage_status} ${policies}`).toBe(statedIn(answering))
  })

  it.each([
    ["TypeScript", "ts", 0],
    ["the client", "ts", 1],
    ["Python", "python", 0]
  ] as const)("%s prints the same", async (_, language, index) => {
    const program = run(language, blocks(answering, language)[index] ?? "")
    expect((await program.until(/\n/)).trim()).toBe(statedIn(answering))
  })

  it("a receiver of each kind verifies the signed ping and refuses the forged one", {
    timeout: 90_000
  }, async () => {
    const [prepare = "", listen = "", test = ""] = blocks(hooking, "sh")
    reader.type(`${prepare}\necho "the secret is $WEBHOOK_SECRET."\n`)
    const secret = /the secret is (whsec_\S+)\./.exec(await reader.until(/the secret is .*\./))?.[1] ?? ""
    const receivers = [
      () => {
        const terminal = open(["bash", "-e"], { WEBHOOK_SECRET: secret })
        terminal.type(listen)
        return terminal
      },
      () => run("ts", blocks(hooking, "ts")[0] ?? "", { WEBHOOK_SECRET: secret }),
      () => run("python", blocks(hooking, "python")[0] ?? "", { WEBHOOK_SECRET: secret })
    ]
    let tests = 0
    for (const begin of receivers) {
      const receiver = begin()
      await receiver.until(/listening/)
      reader.type(`${test}\n`)
      tests += 1
      await reader.until(new RegExp(`(?:"signature_validation":"enforced"[\\s\\S]*){${tests}}`))
      expect(await receiver.until(/verified {2}test\.ping/)).toContain("verified  test.ping")
      expect(await receiver.until(/refused .*signature/)).toMatch(/refused .*signature/)
      receiver.end()
    }
  })
})
