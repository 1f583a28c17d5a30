import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Documents } from "../../core/port/Documents.ts"
import type { Site } from "../dashboard/useSite.ts"
import { authorizePath, clientIdOf, register } from "./client.ts"
import { openConsentSite } from "./site.ts"

/** How many metadata documents the server fetched. A failed fetch is tried again in the same request. */
let fetches = 0
const documents = Layer.succeed(Documents, {
  get: () =>
    Effect.sync(() => {
      fetches += 1
      return { _tag: "Refused" } as const
    })
})

let site: Site
let clientId = ""
beforeAll(async () => {
  site = await openConsentSite("https://api.coverage.example", { documents, trustedProxies: ["127.0.0.1"] })
  clientId = await clientIdOf(register(site, {}, "203.0.113.1"))
})
afterAll(() => site.close())

interface Counted {
  readonly says: string
  /** The requests a minute that one address may send. */
  readonly share: number
  /** Sends a request from the address, and returns how much of its network's share the server granted. */
  readonly send: (address: string) => Promise<number>
}

const admitted = async (answer: Promise<Response>): Promise<number> => {
  const { body, status } = await answer
  await body?.cancel()
  return status === 429 ? 0 : 1
}

const post = (path: string, address: string, body: string) =>
  fetch(site.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": address },
    body
  })

const authorize = (address: string, id: string) =>
  fetch(site.url + authorizePath({ clientId: id, challenge: "c".repeat(43) }), {
    redirect: "manual",
    headers: { accept: "text/html", "x-forwarded-for": address }
  })

const endpoints: ReadonlyArray<Counted> = [
  {
    says: "sandbox keys",
    share: 60,
    send: (address) => admitted(post("/api/sandbox/v1/keys", address, "{}"))
  },
  {
    says: "reports of a leaked key",
    share: 60,
    send: (address) => admitted(post("/security/leaked-key", address, '{"key":"svc_live_unknown"}'))
  },
  {
    says: "registrations of OAuth clients",
    share: 10,
    send: (address) => admitted(register(site, {}, address))
  },
  {
    says: "registrations of a hosted OAuth client",
    share: 120,
    send: (address) =>
      admitted(register(site, { redirect_uris: ["https://claude.ai/api/mcp/auth_callback"] }, address))
  },
  {
    says: "authorization requests",
    share: 60,
    send: (address) => admitted(authorize(address, clientId))
  },
  {
    says: "fetches of client metadata documents",
    share: 20,
    send: async (address) => {
      const before = fetches
      await admitted(authorize(address, `https://app.example/${encodeURIComponent(address)}`))
      return fetches - before
    }
  }
]

describe("contract §1 an IPv6 /64 is one address", () => {
  it.each(endpoints.map((endpoint, nth) => ({ ...endpoint, nth })))(
    "for $says: one network gets the share of one address, and two get twice as much",
    async ({ nth, send, share }) => {
      const passedOf = async (network: number): Promise<number> => {
        let passed = 0
        for (let host = 1; host <= share + 5; host++)
          passed += await send(`2001:db8:${nth}:${network}:${host.toString(16)}::1`)
        return passed
      }
      expect([await passedOf(1), await passedOf(2)]).toEqual([share, share])
    }
  )
})
