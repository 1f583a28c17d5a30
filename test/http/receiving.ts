import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Webhook as StandardWebhook } from "standardwebhooks"
import { Webhook as SvixWebhook } from "svix"
import { vi } from "vitest"

/** A request as it reached a receiver. */
export interface Arrival {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly event: {
    readonly id: string
    readonly type: string
    readonly data: Readonly<Record<string, unknown>>
  }
  /** The status it was answered with. */
  readonly status: number
}

/** A receiver on the loopback that remembers what came; `answer` says with which status. */
export const receiver = async (answer: (arrival: Omit<Arrival, "status">) => number = () => 200) => {
  const arrivals: Array<Arrival> = []
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString()
      const arrival = { headers: request.headers as Arrival["headers"], body, event: JSON.parse(body) }
      const status = answer(arrival)
      arrivals.push({ ...arrival, status })
      response.writeHead(status).end()
    })
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}/in`,
    arrivals,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

/** What receivers verify with; each throws what it refuses. */
export const verifiers = {
  svix: (secret: string, { body, headers }: Arrival) => new SvixWebhook(secret).verify(body, { ...headers }),
  standardwebhooks: (secret: string, { body, headers }: Arrival) =>
    new StandardWebhook(secret).verify(body, { ...headers })
} as const

/** Which of the verifiers accept the arrival with the secret, by a clock that shows this. */
export const acceptingVerifiers = (
  secret: string,
  arrival: Arrival,
  nowMs: number
): ReadonlyArray<string> => {
  vi.useFakeTimers({ toFake: ["Date"], now: nowMs })
  try {
    return Object.entries(verifiers).flatMap(([name, verify]) => {
      try {
        verify(secret, arrival)
        return [name]
      } catch {
        return []
      }
    })
  } finally {
    vi.useRealTimers()
  }
}

/** Asks every so often until it holds; what it saw last when ten seconds are over. */
export const eventually = async <A>(
  ask: () => A | Promise<A>,
  holds: (seen: A) => boolean,
  everyMs = 20
): Promise<A> => {
  const untilMs = performance.now() + 10_000
  for (;;) {
    const seen = await ask()
    if (holds(seen) || performance.now() > untilMs) return seen
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
