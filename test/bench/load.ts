import { connect } from "node:net"
import type { Socket } from "node:net"

/** What stands in a request for a text that no other request has. */
export const fresh = "{fresh}"

/** Requests to send, in turn; each is the whole text of an HTTP/1.1 request. */
export interface Load {
  readonly port: number
  readonly connections: number
  /** What is `fresh` in one is written anew each time it is sent, in its headers alone. */
  readonly requests: ReadonlyArray<string>
  readonly durationMs: number
  /** Ends when each request was sent so often; absent: when the time is over. */
  readonly passes?: number
}

export interface Outcome {
  readonly calls: number
  readonly seconds: number
  /** Answers with a status above 299, and calls without an answer. */
  readonly wrong: number
  /** Percentiles of the answers' times. */
  readonly p50Microseconds: number
  readonly p99Microseconds: number
}

/** Besides a GET: a call with a body, and with an idempotency key of its own where it is keyed. */
export interface WriteLoad {
  readonly method: string
  readonly body: string
  readonly isKeyed?: boolean
}

export const requestText = (
  path: string,
  key: string | undefined,
  { method, body, isKeyed = false }: WriteLoad = { method: "GET", body: "" }
): string =>
  `${method} ${path} HTTP/1.1\r\nhost: bench\r\n${key === undefined ? "" : `authorization: Bearer ${key}\r\n`}` +
  (isKeyed ? `x-idempotency-key: ${fresh}\r\n` : "") +
  (body === "" ? "" : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`) +
  `\r\n${body}`

/** Sends requests over so many connections, each waiting for its answer, until the time is over. */
export const load = async (input: Load): Promise<Outcome> => {
  let wrong = 0
  const times: Array<number> = []
  let next = 0
  const startedMs = performance.now()
  const untilMs = startedMs + input.durationMs
  const last = input.requests.length * (input.passes ?? Number.POSITIVE_INFINITY)
  const one = async () => {
    const socket = await open(input.port)
    while (performance.now() < untilMs && next < last) {
      const beganMs = performance.now()
      const text = input.requests[next++ % input.requests.length] ?? ""
      socket.write(text.replace(fresh, () => `${freshPrefix}${freshCount++}`))
      const status = await answer(socket)
      times.push((performance.now() - beganMs) * 1_000)
      if (status > 299) wrong += 1
    }
    socket.destroy()
  }
  // A load that sleeps between answers would make every server pay for waking it, and a slow one more often.
  let isOver = false
  const stayAwake = (): void => void (isOver || setImmediate(stayAwake))
  stayAwake()
  await Promise.all(Array.from({ length: input.connections }, one))
  isOver = true
  const [p50Microseconds, p99Microseconds] = [percentile(times, 0.5), percentile(times, 0.99)]
  const seconds = (performance.now() - startedMs) / 1_000
  return { calls: times.length, seconds, wrong, p50Microseconds, p99Microseconds }
}

const freshPrefix = `bench ${Date.now()} `
let freshCount = 0

export const median = (values: ReadonlyArray<number>): number => percentile(values, 0.5)

const percentile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(Math.floor(values.length * share), values.length - 1)] ?? 0

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => resolve(socket)).once(
      "error",
      reject
    )
  })

/** One answer with a Content-Length, or a 304 without a body: all that the benchmarked calls give. */
const answer = (socket: Socket): Promise<number> =>
  new Promise((resolve, reject) => {
    let text = ""
    const onData = (chunk: Buffer): void => {
      text += chunk.toString("latin1")
      const head = text.indexOf("\r\n\r\n")
      if (head === -1) return
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, head + 2))?.[1] ?? 0)
      if (text.length < head + 4 + length) return
      socket.off("data", onData).off("close", onClose)
      resolve(Number(text.slice(9, 12)))
    }
    const onClose = (): void => reject(new Error("the server closed the connection"))
    socket.on("data", onData).once("close", onClose)
  })
