import { createServer } from "node:http"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { verifies } from "../kit/courier.ts"
import type { CallResult } from "./calling.ts"
import { call } from "./calling.ts"

/** One request that was received, and verified by both libraries. */
export interface ReceivedRequest {
  readonly webhookId: string
  readonly body: Event
  readonly atMs: number
}

interface Event {
  readonly id: string
  readonly type: string
  readonly data: { readonly diff_ids: ReadonlyArray<number> }
}

/** What a receiver does with a request that it verified; the standard is to answer 204. */
export type Behaviour = (response: ServerResponse, received: ReceivedRequest) => void

/** Real receivers on one port of the loopback, one for each path. */
export const openHooks = async () => {
  const received = new Map<string, Array<ReceivedRequest>>()
  const secrets = new Map<string, string>()
  const behaviours = new Map<string, Behaviour>()
  /** Requests that did not verify, with what the libraries said. */
  const forged: Array<string> = []
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? ""
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString("utf8")
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)])
    )
    try {
      verifies(secrets.get(path) ?? "", { headers, body })
    } catch (error) {
      forged.push(`${path}: ${String(error)}`)
    }
    const one = {
      webhookId: headers["webhook-id"] ?? "",
      body: JSON.parse(body) as Event,
      atMs: performance.now()
    }
    received.set(path, [...(received.get(path) ?? []), one])
    const behaviour = behaviours.get(path) ?? respondWith(204)
    behaviour(response, one)
  }
  const server = createServer(
    (request, response) => void take(request, response).catch(() => response.destroy())
  )
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    forged,
    secret: (path: string): string => secrets.get(path) ?? "",
    received: (path: string): ReadonlyArray<ReceivedRequest> => received.get(path) ?? [],
    behave: (path: string, behaviour: Behaviour) => void behaviours.set(path, behaviour),
    /** An endpoint made by the service itself, whose secret this receiver then knows. */
    endpoint: async (api: string, key: string, path: string): Promise<number> => {
      const body = JSON.stringify({ url: `http://127.0.0.1:${port}${path}`, events: ["*"] })
      const made = await call(`${api}/api/v1/webhooks`, key, { method: "POST", body })
      const data = made.body.data as { readonly id: number; readonly secret: string } | undefined
      if (data === undefined) throw new Error(`no endpoint was made: ${made.code}`)
      secrets.set(path, data.secret)
      return data.id
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

export type Hooks = Awaited<ReturnType<typeof openHooks>>

export const respondWith =
  (status: number): Behaviour =>
  (response) =>
    void response.writeHead(status).end()

/** Acknowledges one change, under a key of its own. */
export const acknowledge = (api: string, key: string, diffId: number): Promise<CallResult> =>
  call(`${api}/api/v1/compliance/ack`, key, {
    method: "POST",
    headers: { "x-idempotency-key": `acknowledge ${diffId}` },
    body: JSON.stringify({ diff_id: diffId })
  })
