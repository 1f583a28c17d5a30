import { createServer } from "node:http"
import type { IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"

/** A request on its way to the server. */
export interface ProxiedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** An answer on its way back. */
export interface ProxiedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What stands between a server and who checks it, and what it does to their words. */
export interface Tamper {
  readonly request?: (passing: ProxiedRequest) => ProxiedRequest
  readonly answer?: (returned: ProxiedResponse, passing: ProxiedRequest) => ProxiedResponse
}

/**
 * A proxy before the server that lets all pass but for one thing; each has an address of its own behind it.
 */
export const startTamperingProxy = async (url: string, tamper: Tamper, address: string) => {
  const proxy = createServer(async (incoming, outgoing) => {
    const came = await passingOf(incoming)
    const passing = tamper.request?.(came) ?? came
    const response = await fetch(url + passing.url, {
      method: passing.method,
      headers: { ...passing.headers, "x-forwarded-for": address },
      redirect: "manual",
      ...(passing.body === "" ? {} : { body: passing.body })
    })
    const {
      "content-encoding": _,
      "transfer-encoding": __,
      "content-length": ___,
      ...headers
    } = Object.fromEntries(response.headers)
    const returned = { status: response.status, headers, body: await response.text() }
    const sent = tamper.answer?.(returned, came) ?? returned
    outgoing.writeHead(sent.status, sent.headers).end(sent.body)
  })
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    close: () => {
      proxy.close()
      proxy.closeAllConnections()
    }
  }
}

/** Headers that are of one connection alone. */
const hops: ReadonlySet<string> = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "accept-encoding"
])

const passingOf = async (incoming: IncomingMessage): Promise<ProxiedRequest> => {
  let body = ""
  for await (const chunk of incoming.setEncoding("utf8")) body += String(chunk)
  const headers = Object.entries(incoming.headers).filter(([name]) => !hops.has(name))
  const { method = "GET", url = "/" } = incoming
  return {
    method,
    url,
    body,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)]))
  }
}

/** The answer without a header, or with another. */
export const header =
  (
    name: string,
    change: (value: string) => string | undefined = () => undefined
  ): NonNullable<Tamper["answer"]> =>
  (returned) => {
    const { [name]: value, ...others } = returned.headers
    const changed = value === undefined ? undefined : change(value)
    return { ...returned, headers: changed === undefined ? others : { ...others, [name]: changed } }
  }

/** The answer with other words, where they stand in it. */
export const words =
  (was: string | RegExp, is: string): NonNullable<Tamper["answer"]> =>
  (returned) => ({ ...returned, body: returned.body.replace(was, is) })

/** The answer with a member of its JSON changed. */
export const json =
  (name: string, change: (value: unknown) => unknown): NonNullable<Tamper["answer"]> =>
  (returned) => {
    if (!returned.body.startsWith("{")) return returned
    const members: Readonly<Record<string, unknown>> = JSON.parse(returned.body)
    if (!(name in members)) return returned
    return { ...returned, body: JSON.stringify({ ...members, [name]: change(members[name]) }) }
  }

/** What the answer to an error of this code becomes; every other passes. */
export const onError =
  (code: string, change: NonNullable<Tamper["answer"]>): NonNullable<Tamper["answer"]> =>
  (returned, passing) =>
    returned.body.includes(`"code":"${code}"`) ? change(returned, passing) : returned

/** The request without a header. */
export const withoutHeader =
  (name: string): NonNullable<Tamper["request"]> =>
  (passing) => {
    const { [name]: _, ...headers } = passing.headers
    return { ...passing, headers }
  }

/** The request with another query. */
export const query =
  (change: (search: URLSearchParams) => void): NonNullable<Tamper["request"]> =>
  (passing) => {
    const [path, text = ""] = passing.url.split("?")
    const search = new URLSearchParams(text)
    change(search)
    return { ...passing, url: `${path}?${search}` }
  }
