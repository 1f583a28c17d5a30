import * as Layer from "effect/Layer"
import { once } from "node:events"
import { Worker } from "node:worker_threads"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { inMemory } from "../http/stores.ts"
import { customer, healthy, serve } from "../http/harness.ts"
import type { ServedApp } from "../http/harness.ts"
import * as LocalLimits from "../../adapters/memory/Limits.ts"
import type { WorkerResponse, Ready, WorkerRequest } from "./service.ts"

const worker = new Worker(new URL("./service.ts", import.meta.url))
let ready: Ready
let served: Pick<ServedApp<never>, "url" | "close">
let servedKey: string

beforeAll(async () => {
  const ports = Layer.mergeAll(inMemory, healthy, LocalLimits.layer)
  const [[told], serving] = await Promise.all([once(worker, "message"), serve(ports)])
  ready = told as Ready
  served = serving
  servedKey = (await serving.run(customer())).key
})
afterAll(async () => {
  await Promise.all([worker.terminate(), served.close()])
})

let sent = 0
const asking = (request: Omit<WorkerRequest, "id">): Promise<WorkerResponse> => {
  const id = ++sent
  return new Promise((resolve) => {
    const receive = (answered: WorkerResponse): void => {
      if (answered.id !== id) return
      worker.off("message", receive)
      resolve(answered)
    }
    worker.on("message", receive)
    worker.postMessage({ ...request, id } satisfies WorkerRequest)
  })
}

/** Both answers to one request, without what differs from call to call. */
const both = async (input: Partial<WorkerRequest> & { readonly path: string; readonly keyed?: boolean }) => {
  const { keyed = true, path, method = "GET", headers = {}, body = null } = input
  const plain = { "accept-encoding": "identity", ...headers }
  const as = (key: string) => (keyed ? { authorization: `Bearer ${key}`, ...plain } : plain)
  const here = await asking({ method, path, headers: as(ready.key), body })
  const response = await fetch(served.url + path, { method, headers: as(servedKey), body })
  const there = {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text()
  }
  return [comparable(here), comparable(there)] as const
}

/** Of one call, or of the packing and keeping alive that Node's own server does. */
const passing = ["x-request-id", "date", "connection", "keep-alive", "transfer-encoding", "content-length"]

const comparable = ({ status, headers, body }: Omit<WorkerResponse, "id">) => ({
  status,
  headers: Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !passing.includes(name) && !/ratelimit.*reset|^ratelimit$|^vary$/.test(name)
    )
  ),
  body: body.replaceAll(/"(request_id|timestamp)":"[^"]*"/g, '"$1":"…"')
})

describe("the same API as a fetch handler in a worker", () => {
  it("loads nothing of Node's server", () => {
    expect(ready.loaded).toEqual([])
  })

  const asked: ReadonlyArray<Parameters<typeof both>[0] & { readonly says: string }> = [
    { says: "health, without a key", path: "/api/v1/health", keyed: false },
    { says: "a list", path: "/api/v1/policies?limit=5" },
    { says: "a missing key", path: "/api/v1/policies", keyed: false },
    { says: "a query that is out of range", path: "/api/v1/policies?limit=0" },
    { says: "a repeated query name", path: "/api/v1/policies?limit=1&limit=2" },
    { says: "what is not there", path: "/api/v1/policies/L99999" },
    { says: "an unknown path", path: "/api/v1/nothing" },
    { says: "the surface that is closed", path: "/api/public/v1/policies", keyed: false },
    {
      says: "a body of another type",
      path: "/api/v1/prior-auth/check",
      method: "POST",
      headers: { "content-type": "text/plain" },
      body: "{}"
    },
    {
      says: "a body that is no JSON",
      path: "/api/v1/prior-auth/check",
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{"
    },
    {
      says: "a body beyond its bound",
      path: "/api/v1/prior-auth/check",
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ procedure_codes: ["x".repeat(2_000_000)] })
    },
    {
      says: "an identifier of a patient",
      path: "/api/v1/prior-auth/check",
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ procedure_codes: ["99213"], patient_name: "x" })
    },
    {
      says: "a check",
      path: "/api/v1/prior-auth/check",
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ procedure_codes: ["99213"] })
    },
    {
      says: "a preflight",
      path: "/api/v1/policies",
      method: "OPTIONS",
      keyed: false,
      headers: { origin: "https://app.example" }
    }
  ]
  for (const { says, ...request } of asked)
    it(`answers as the server does: ${says}`, async () => {
      const [here, there] = await both(request)
      expect(here).toEqual(there)
    })
})
