import { readFileSync, readdirSync } from "node:fs"
import { inspect } from "node:util"
import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import { CallFailed, makeClient, makeEffectClient } from "../../adapters/client/client.ts"
import type { ClientSettings } from "../../adapters/client/client.ts"
import { key } from "./flavours.ts"

const baseUrl = "https://api.coverage.example"

const refusedSettings: ReadonlyArray<readonly [string, Partial<ClientSettings>]> = [
  ["an address that is none", { baseUrl: "api.coverage.example" }],
  ["http to another machine", { baseUrl: "http://api.coverage.example" }],
  ["another protocol", { baseUrl: "file:///etc" }],
  ["a key within the address", { baseUrl: `https://${key}@api.coverage.example` }],
  ["a query", { baseUrl: `${baseUrl}?key=${key}` }],
  ["a key of two lines", { key: `${key}\nx: y` }],
  ["an empty key", { key: "" }],
  ["a key with a space", { key: Redacted.make(`${key} `) }],
  ["a wait that is no number", { maxWaitSeconds: Number.NaN }],
  ["a negative time", { attemptSeconds: -1 }]
]

describe("settings and secrets of the client", () => {
  it.each(refusedSettings)("%s is refused before anything is sent, and repeats no value", (_, wrong) => {
    for (const make of [makeClient, makeEffectClient]) {
      let error: unknown
      try {
        make({ baseUrl, key, ...wrong })
      } catch (thrown) {
        error = thrown
      }
      expect(error).toBeInstanceOf(CallFailed)
      expect(error).toMatchObject({ code: "SETTINGS_INVALID" })
      expect(inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error)).not.toContain(key)
    }
  })

  it("http is for this machine alone, and a path before /api is kept", async () => {
    const urls: Array<string> = []
    const fetch = async (url: string) => {
      urls.push(url)
      return Response.json({ success: true, data: [], meta: { request_id: "req_1" } })
    }
    for (const at of [
      "http://127.0.0.1:3000",
      "http://localhost/",
      "http://[::1]:3000",
      "https://a.example/coverage/"
    ])
      await makeClient({ baseUrl: at, key, fetch }).listPayers()
    expect(urls).toEqual([
      "http://127.0.0.1:3000/api/v1/payers",
      "http://localhost/api/v1/payers",
      "http://[::1]:3000/api/v1/payers",
      "https://a.example/coverage/api/v1/payers"
    ])
  })

  it("§2.5 a client shows its key to nobody who looks at it", () => {
    for (const client of [makeClient({ baseUrl, key }), makeEffectClient({ baseUrl, key })]) {
      const shown = [String(client), JSON.stringify(client), inspect(client, { depth: 9, showHidden: true })]
      expect(shown.join()).not.toContain(key)
    }
  })

  it("a caller's signal ends the call with its own reason, while it waits too", async () => {
    const reason = new Error("enough")
    const body = {
      success: false,
      error: { code: "SERVER_TIMEOUT", message: "m", retryable: true },
      meta: {}
    }
    let sent = 0
    const fetch = async () => {
      sent += 1
      return Response.json(body, { status: 500 })
    }
    const client = makeClient({ baseUrl, key, fetch })
    await expect(client.health({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(sent).toBe(0)
    const control = new AbortController()
    const waiting = client.health({}, { signal: control.signal })
    setTimeout(() => control.abort(reason), 20)
    await expect(waiting).rejects.toBe(reason)
  })

  it("opens nothing that a browser lacks", () => {
    const folder = new URL("../../adapters/client/", import.meta.url)
    for (const name of readdirSync(folder)) {
      const text = readFileSync(new URL(name, folder), "utf8")
      expect([name, text.match(/"node:|"@effect\/|\b(Buffer|process|require|__dirname)\b/)]).toEqual([
        name,
        null
      ])
    }
  })
})
