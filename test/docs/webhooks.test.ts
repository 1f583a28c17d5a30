import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { layer as nodeCrypto } from "../../adapters/node/Crypto.ts"
import { Crypto } from "../../core/port/Crypto.ts"
import { secretText } from "../../core/webhook/secret.ts"
import { messageHeaders } from "../../core/webhook/signature.ts"
import { verifyMessage } from "../../core/webhook/verify.ts"
import { blocksOf } from "../architecture/documents.ts"
import { root } from "./terminal.ts"

const read = (path: string) => readFileSync(root + path, "utf8")
const guide = read("docs/webhooks.md")
const blocks = (language: string) =>
  blocksOf({ path: "docs/webhooks.md", text: guide }).filter((block) => block.language === language)

const { hmacSha256: mac } = Effect.runSync(Effect.provide(Crypto, nodeCrypto))
const secrets = [3, 4].map((fill) => secretText(new Uint8Array(32).fill(fill))) as [string, string]
const body = '{"id":"msg_1","type":"test.ping","data":{"note":"é"}}'
const signed = (by: ReadonlyArray<string>, ageSeconds = 0) => {
  const timestampSeconds = Math.floor(Date.now() / 1_000) - ageSeconds
  return messageHeaders({ webhookId: "msg_1", timestampSeconds, body }, { secrets: by, mac })
}

type Verify = (secret: string, headers: Record<string, string>, body: string) => unknown

/** A message with the secret of its receiver, and whether it is to be believed. */
const messages: ReadonlyArray<readonly [string, boolean, Record<string, string>, string]> = [
  ["signed", true, signed([secrets[0]]), body],
  ["signed with both secrets of a rotation", true, signed([secrets[1], secrets[0]]), body],
  ["signed with another's secret", false, signed([secrets[1]]), body],
  ["signed long ago", false, signed([secrets[0]], 600), body],
  ["with another body", false, signed([secrets[0]]), body.replace("é", "e")]
]

const verdict = (verify: () => unknown): boolean => {
  try {
    return JSON.stringify(verify()) === JSON.stringify(JSON.parse(body))
  } catch {
    return false
  }
}

describe("docs/webhooks.md", () => {
  const folder = mkdtempSync(join(tmpdir(), "coverage-docs-"))
  const verifies: Array<Verify> = []
  beforeAll(async () => {
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
    const [library = "", ...others] = blocks("ts").map(({ text }) => text)
    const texts = [library, library.replace('"standardwebhooks"', '"svix"'), ...others]
    for (const [index, text] of texts.entries()) {
      writeFileSync(join(folder, `verify${index}.ts`), text)
      verifies.push((await import(pathToFileURL(join(folder, `verify${index}.ts`)).href)).verify as Verify)
    }
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each(messages)(
    "its TypeScript, by library and without, judges a message %s: %s",
    (_, expected, headers, text) => {
      expect(verifies.map((verify) => verdict(() => verify(secrets[0], { ...headers }, text)))).toEqual(
        Array(3).fill(expected)
      )
    }
  )

  it.each(messages)("its Python judges a message %s: %s", (_, expected, headers, text) => {
    const [block] = blocks("python")
    const program = `${block?.text}\nimport sys\nsecret, headers, body = json.load(sys.stdin)
try:
    print(json.dumps(verify(secret, headers, body.encode())))
except ValueError:
    print("null")
`
    const input = JSON.stringify([secrets[0], headers, text])
    const said = execFileSync("python3", ["-c", program], { input, encoding: "utf8" })
    expect(verdict(() => JSON.parse(said))).toBe(expected)
  })

  it.each(messages)(
    "the receiver of the command line judges a message %s: %s",
    (_, expected, headers, text) => {
      const nowSeconds = Math.floor(Date.now() / 1_000)
      const { _tag } = verifyMessage({ headers, body: text }, { secret: secrets[0], nowSeconds, mac })
      expect(_tag === "Verified").toBe(expected)
    }
  )
})
