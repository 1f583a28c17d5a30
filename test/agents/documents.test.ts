import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { apps } from "./App.ts"
import { consentPage, newOwner } from "./people.ts"
import type { SignedInPerson } from "./people.ts"
import { openStage, timeoutMs } from "./stage.ts"
import type { Stage } from "./stage.ts"

/** Addresses that lead to the service's own machine or network, or nowhere. */
const inward = [
  "https://127.0.0.1/client.json",
  "https://[::1]/client.json",
  "https://10.0.0.1/client.json",
  "https://169.254.169.254/latest/meta-data",
  "https://localhost/client.json",
  "https://nowhere.invalid/client.json"
]

describe("§5 an agent known by the address of its own document, against the running service", {
  timeout: 2 * timeoutMs
}, () => {
  let stage: Stage
  let person: SignedInPerson
  beforeAll(async () => {
    stage = await openStage([])
    person = await newOwner(stage, "Ada", "ada@clinic.example")
  }, 2 * timeoutMs)
  afterAll(() => stage.close())

  it.each(apps)(
    "%s goes by its address, registers nothing, and is told why it is not let in",
    async (_, of) => {
      for (const metadataUrl of inward) {
        const app = of({ url: stage.url, name: "Document App", metadataUrl })
        await expect(app.connect()).rejects.toThrow(/unauthorized/i)
        expect(app.kept.information?.client_id).toBe(metadataUrl)
        expect(app.sent.map(({ says }) => says).join()).not.toContain("/oauth/register")
        const { page, path } = await consentPage(person, app)
        expect([metadataUrl, page.status, path]).toEqual([metadataUrl, 400, ""])
        expect(page.text).toContain("the document at the address that it goes by could not be read")
        expect(page.text).toContain("It must lie at a public https address.")
        await app.close()
      }
    }
  )

  it("an app that never registered and goes by no address is told that instead", async () => {
    const asked = new URLSearchParams({
      client_id: "app-of-nobody",
      response_type: "code",
      redirect_uri: "http://127.0.0.1:6274/oauth/callback",
      code_challenge: "x".repeat(43),
      code_challenge_method: "S256"
    })
    const page = await person.browser.get(`/oauth/authorize?${asked.toString()}`)
    expect(page.status).toBe(400)
    expect(page.text).toContain("it did not register, or its registration ended unused")
  })
})
