import type { ServerResponse } from "node:http"

const yearSeconds = 31_536_000

/** Has browsers use https alone, for a year and for subdomains too (RFC 6797). */
export const strictTransport = {
  "strict-transport-security": `max-age=${yearSeconds}; includeSubDomains`
} as const

const [[name, value]] = Object.entries(strictTransport) as [[string, string]]

/** Returns a response class that adds the header to every head, whichever code writes it (contract §1). */
export const withStrictTransport = (Response: typeof ServerResponse): typeof ServerResponse => {
  class StrictResponse extends Response {
    override writeHead(...head: Array<unknown>): this {
      const headers = head.at(-1)
      // A flat list is the form of API answers: `setHeader` would make Node merge the two one by one.
      if (Array.isArray(headers)) headers.push(name, value)
      else this.setHeader(name, value)
      return super.writeHead(...(head as [number]))
    }
  }
  return StrictResponse as typeof ServerResponse
}
