import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { seedDecisions } from "./decisions.ts"
import { stores } from "./serveLibrary.ts"
import { customer, serve } from "./harness.ts"
import type { ErrorBody, ServedApp } from "./harness.ts"

/** Found by reading the decisions of a running service as an enemy would; each stays here. */
describe.each(stores)("what a hostile client asks about coverage, over %s", (_, ports) => {
  let serving: ServedApp<unknown>
  let key = ""
  beforeAll(async () => {
    const opened = await serve(ports())
    await opened.run(seedDecisions)
    key = (await opened.run(customer({ pack: "scale" }))).key
    serving = opened as ServedApp<unknown>
  })
  afterAll(() => serving.close())

  const ask = async (path: string, body?: string) => {
    const response = await fetch(`${serving.url}/api/v1${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body })
    })
    const answer = (await response.json()) as Partial<ErrorBody> & { readonly data?: unknown }
    return { status: response.status, code: answer.error?.code, data: answer.data, error: answer.error }
  }

  it.each(["-".repeat(40), "- ".repeat(40), "-- ".repeat(20), `oxygen ${"-".repeat(32)} home`, '-"'])(
    "a search for %j is answered",
    async (text) => {
      const query = new URLSearchParams({ q: text }).toString()
      expect((await ask(`/coverage/criteria?${query}`)).status).toBe(200)
      expect((await ask(`/policies?${query}`)).status).toBe(200)
    }
  )

  it.each([
    '{"note":"123-45-6789","procedure_codes":["E0601"],"note":"x"}',
    '{"patient":{"ssn":"123-45-6789"},"procedure_codes":["E0601"],"patient":1}',
    '{"procedure_codes":["E0601"],"deep":[{"a":1,"\\u0061":2}]}'
  ])("a name that stands twice hides nothing: %s", async (body) => {
    expect((await ask("/prior-auth/check", body)).code).toBe("VALIDATION_INVALID_JSON")
  })

  it("a text that looks like a name, and equal names in two objects, are no repetition", async () => {
    const body = '{"procedure_codes":["E0601"],"a":{"b":"\\"b\\":1"},"c":{"b":[{"b":"x:"}]}}'
    expect((await ask("/prior-auth/check", body)).status).toBe(200)
  })

  it.each([9_007_199_254_740_992, 1e300])("contract §1 the page %d is out of range", async (page) => {
    const body = JSON.stringify({ procedure_codes: ["E0601"], criteria_page: page })
    expect((await ask("/prior-auth/check", body)).code).toBe("VALIDATION_OUT_OF_RANGE")
  })

  it("contract §1 a page that is no whole number is of the wrong type", async () => {
    const body = JSON.stringify({ procedure_codes: ["E0601"], criteria_page: 1.5 })
    expect((await ask("/prior-auth/check", body)).code).toBe("VALIDATION_ERROR")
  })

  it("phi.md an undashed NDC of eleven digits is no telephone number", async () => {
    const body = JSON.stringify({ procedure_codes: ["E0601"], ndc: "16729017101" })
    expect((await ask("/prior-auth/check", body)).status).toBe(200)
  })

  it.each(["Medicare Part B", "medicare ffs"])("coverage-domain §2.1 %s is Medicare", async (payer) => {
    const body = JSON.stringify({ procedure_codes: ["E0601"], payer })
    expect((await ask("/prior-auth/check", body)).status).toBe(200)
    const claim = (await ask("/claims/validate", body)).data as { readonly known_gaps: ReadonlyArray<string> }
    expect(claim.known_gaps).not.toContain("payer")
  })

  it("coverage-domain §1.5 a claim may name the Northern Marianas as CMS does", async () => {
    const body = JSON.stringify({ procedure_codes: ["E0601"], state: "CNMI" })
    expect((await ask("/claims/validate", body)).status).toBe(200)
  })
})
