import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { customer, healthy } from "../http/harness.ts"
import { seedLibrary } from "../http/library.ts"
import { inMemory } from "../http/stores.ts"
import { answerOf, message, ping, send } from "./posting.ts"
import { serveMcp } from "./site.ts"
import type { McpSite } from "./site.ts"

const ports = Layer.mergeAll(inMemory, MemoryLimits.layer, healthy)

const hello = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "tests", version: "1" }
}

describe("contract §3 the edge of /mcp", () => {
  let site: McpSite<Layer.Success<typeof ports>>
  let authorization: string
  beforeAll(async () => {
    site = await serveMcp(ports)
    await site.run(seedLibrary)
    const { organizationId } = await site.run(customer({ pack: "scale" }))
    authorization = `Bearer ${site.token({ organizationId })}`
  })
  afterAll(() => site.close())

  const post = (
    body: string,
    headers: Readonly<Record<string, string | undefined>> = {},
    path: string = "/mcp"
  ) => send(site.url, { path, headers: { authorization, ...headers }, body })

  it("answers at /mcp/ as at /mcp, and challenges there too", async () => {
    expect(answerOf(await post(ping, {}, "/mcp/"))).toMatchObject({ result: {} })
    const { status, headers } = await post(ping, { authorization: undefined }, "/mcp/")
    expect([status, headers["www-authenticate"]]).toEqual([401, expect.stringContaining("resource_metadata")])
  })

  describe("Accept", () => {
    const json = "application/json"
    const stream = "text/event-stream"
    const rows: ReadonlyArray<readonly [string | undefined, string]> = [
      [undefined, json],
      ["", json],
      ["*/*", json],
      ["application/json", json],
      ["Application/JSON; charset=utf-8", json],
      ["application/*", json],
      ["text/event-stream", stream],
      ["text/event-stream;q=0.5", stream],
      ["text/html, */*;q=0.1", json],
      ["application/json, text/event-stream;q=0", json],
      ["application/json, text/event-stream", stream]
    ]
    it.each(rows)("%j is answered in %s", async (accept, type) => {
      const posted = await post(message("initialize", hello), { accept })
      expect([posted.status, posted.headers["content-type"]]).toEqual([200, type])
      expect(answerOf(posted)).toMatchObject({ id: 1, result: { protocolVersion: "2025-06-18" } })
      if (type === json) expect(() => JSON.parse(posted.text) as unknown).not.toThrow()
    })

    it.each(["text/html", "application/json;q=0", "image/*"])(
      "%j is refused with the types to name",
      async (accept) => {
        const posted = await post(ping, { accept })
        expect(posted.status).toBe(406)
        expect(answerOf(posted)).toMatchObject({
          error: { message: expect.stringContaining("application/json or text/event-stream") }
        })
      }
    )

    it("a tool's result has the media type that is accepted", async () => {
      const call = message("tools/call", { name: "system_health", arguments: {} })
      for (const accept of [json, stream]) {
        const posted = await post(call, { accept })
        expect(posted.headers["content-type"]).toBe(accept)
        expect(answerOf(posted)).toMatchObject({ result: { isError: false } })
      }
    })
  })

  describe("the protocol's version", () => {
    it.each(["2099-01-01", "1.0", "2026-07-28", "2024-11-05"])(
      "%s in the header of initialize is negotiated by the version in its body",
      async (version) => {
        const posted = await post(message("initialize", hello), { "mcp-protocol-version": version })
        expect(posted.status).toBe(200)
        expect(answerOf(posted)).toMatchObject({ result: { protocolVersion: "2025-06-18" } })
      }
    )

    it("an unknown version in the body is answered with one that the server supports", async () => {
      const posted = await post(message("initialize", { ...hello, protocolVersion: "1900-01-01" }))
      expect(answerOf(posted)).toMatchObject({ result: { protocolVersion: expect.stringMatching(/^20/) } })
    })

    it("an unknown version in the header of another method is a 400 that does not repeat it", async () => {
      const posted = await post(ping, { "mcp-protocol-version": "zz-287-65" })
      expect([posted.status, posted.text]).toEqual([400, expect.not.stringContaining("287-65")])
    })
  })

  describe("null counts as absent", () => {
    it.each(["ping", "tools/list", "notifications/initialized"])("params of %s", async (method) => {
      const id = method.startsWith("notifications/") ? {} : { id: "a" }
      const posted = await post(JSON.stringify({ jsonrpc: "2.0", ...id, method, params: null }))
      expect(posted.status).toBe("id" in id ? 200 : 202)
      if ("id" in id) expect(answerOf(posted)).toMatchObject({ id: "a", result: {} })
    })

    it("members of params, such as a cursor and what a client declares", async () => {
      const listed = answerOf(await post(message("tools/list", { cursor: null, _meta: null })))
      expect(listed).toMatchObject({ result: { tools: expect.any(Array) } })
      const params = {
        ...hello,
        capabilities: { roots: null, sampling: null },
        clientInfo: { ...hello.clientInfo, title: null, icons: null }
      }
      expect(answerOf(await post(message("initialize", params)))).toMatchObject({ result: {} })
    })

    it.each([undefined, null, "", {}, [], "{}"])("arguments %j are an empty object", async (input) => {
      const call = message("tools/call", { name: "system_health", arguments: input })
      expect(answerOf(await post(call))).toMatchObject({ result: { isError: false } })
    })
  })

  describe("a malformed message gets one plain sentence, with the id where it can be read", () => {
    const call = (params: unknown) => message("tools/call", params)
    const rows: ReadonlyArray<readonly [string, string, number, number | string | null]> = [
      ["bad JSON", '{"id": 7,', -32_700, null],
      ["an empty body", "", -32_700, null],
      ["text", '"ping"', -32_600, null],
      ["null", "null", -32_600, null],
      ["a number", "7", -32_600, null],
      ["an empty object", "{}", -32_600, null],
      ["a batch", `[${ping}]`, -32_600, null],
      ["no jsonrpc", '{"id":7,"method":"ping"}', -32_600, 7],
      ["another jsonrpc", '{"jsonrpc":"1.0","id":"x","method":"ping"}', -32_600, "x"],
      ["a numeric jsonrpc", '{"jsonrpc":2.0,"id":7,"method":"ping"}', -32_600, 7],
      ["no method", '{"jsonrpc":"2.0","id":7}', -32_600, 7],
      ["a numeric method", '{"jsonrpc":"2.0","id":7,"method":1}', -32_600, 7],
      ["a null method", '{"jsonrpc":"2.0","id":7,"method":null}', -32_600, 7],
      ["a null id", '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32_600, null],
      ["an object as id", '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32_600, null],
      ["a fraction as id", '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32_600, null],
      ["params as text", '{"jsonrpc":"2.0","id":7,"method":"ping","params":"x"}', -32_602, 7],
      ["params as an array", '{"jsonrpc":"2.0","id":7,"method":"ping","params":[]}', -32_602, 7],
      ["an unknown method", message("patients/287-65-4329"), -32_601, 1],
      ["initialize without params", message("initialize"), -32_602, 1],
      ["a numeric version", message("initialize", { ...hello, protocolVersion: 1 }), -32_602, 1],
      ["no client", message("initialize", { ...hello, clientInfo: undefined }), -32_602, 1],
      ["no name of a tool", call({}), -32_602, 1],
      ["a numeric name of a tool", call({ name: 1 }), -32_602, 1],
      ["an unknown tool", call({ name: "ssn_287-65-4329" }), -32_602, 1],
      ["arguments as text", call({ name: "system_health", arguments: "287-65-4329" }), -32_602, 1],
      ["arguments as an array", call({ name: "system_health", arguments: ["287-65-4329"] }), -32_602, 1],
      ["a malformed _meta", call({ name: "system_health", _meta: "287-65-4329" }), -32_602, 1],
      ["a malformed token", message("tools/list", { _meta: { progressToken: {} } }), -32_602, 1]
    ]
    it.each(rows)("%s", async (_, body, code, id) => {
      const posted = await post(body)
      const answer = answerOf(posted)
      expect(answer).toMatchObject({ jsonrpc: "2.0", id, error: { code } })
      const { error } = answer as { readonly error: Readonly<Record<string, unknown>> }
      expect(Object.keys(error)).toEqual(["code", "message"])
      expect(error["message"]).toMatch(/^[^\n{]{10,240}\.$/)
      expect(posted.text).not.toMatch(/zod|invalid_type|expected|"path"|287-65/i)
      expect([200, 400]).toContain(posted.status)
    })

    it("members beside those of JSON-RPC are ignored", async () => {
      expect(answerOf(await post('{"jsonrpc":"2.0","id":7,"method":"ping","auth":1}'))).toMatchObject({
        id: 7,
        result: {}
      })
    })

    it("a client's response to nothing is taken with 202", async () => {
      expect((await post('{"jsonrpc":"2.0","id":7,"result":{}}')).status).toBe(202)
    })

    it("a body that is not called JSON is a 415 that names the header", async () => {
      const posted = await post(ping, { "content-type": "text/plain" })
      expect([posted.status, posted.text]).toEqual([415, expect.stringContaining("application/json")])
    })
  })
})
