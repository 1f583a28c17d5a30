import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { apps } from "./App.ts"
import { dance, newOwner } from "./people.ts"
import type { SignedInPerson } from "./people.ts"
import { openStage, timeoutMs } from "./stage.ts"
import type { Stage } from "./stage.ts"

describe("contract §3: a development server called by another loopback name than that of BASE_URL", {
  timeout: 2 * timeoutMs
}, () => {
  let stage: Stage
  let owner: SignedInPerson
  beforeAll(async () => {
    stage = await openStage([])
    owner = await newOwner(stage, "Ada", "ada@clinic.example")
  }, 2 * timeoutMs)
  afterAll(() => stage.close())

  it.each(apps)("%s connects, calls and refreshes", async (_, appOf) => {
    expect(stage.url).toContain("//127.0.0.1:")
    const url = stage.url.replace("127.0.0.1", "localhost")
    const app = appOf({ url, name: "Agent of Ada" })
    await expect(app.connect()).rejects.toThrow(/unauthorized/i)
    expect(app.sent[0]?.headers.get("www-authenticate")).toContain(
      `resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`
    )
    expect(app.kept.asked?.origin).toBe(stage.url)
    expect(app.kept.asked?.searchParams.get("resource")).toBe(`${url}/mcp`)
    await dance(owner, app)
    if (app.kept.tokens !== undefined) app.kept.tokens = { ...app.kept.tokens, access_token: "x".repeat(43) }
    expect(await app.call("system_health")).toMatchObject({ isError: false })
    await app.close()
  })
})
