import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { navigation } from "../../adapters/http/docs/navigation.ts"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { operationIds } from "../../core/operation/catalogue.ts"
import { Probes } from "../../core/port/Probes.ts"
import { healthy, serve } from "../http/harness.ts"
import type { ServedApp } from "../http/harness.ts"
import { inMemory } from "../http/stores.ts"
import { axeFaults, launch, noBrowser, overflowOf } from "../kit/chromium.ts"
import { faultsOf } from "./looking.ts"

const ports = Layer.mergeAll(inMemory, MemoryLimits.layer, healthy)
const looks = [
  { colorScheme: "light", viewport: { width: 1280, height: 900 } },
  { colorScheme: "dark", viewport: { width: 360, height: 740 } }
] as const satisfies ReadonlyArray<BrowserContextOptions>

if (noBrowser !== undefined) console.warn(`the documentation is not looked at: ${noBrowser}`)

/** A browser is slow where much else runs. */
const timeout = 120_000

describe.runIf(noBrowser === undefined)("the documentation in a browser", { timeout }, () => {
  let serving: ServedApp<Layer.Success<typeof ports>>
  let browser: Browser
  beforeAll(async () => {
    serving = await serve(ports)
    browser = await launch()
  })
  afterAll(async () => {
    await browser.close()
    await serving.close()
  })

  /** A page with what it complained of, and whom it asked. */
  const opened = async (path: string, options: BrowserContextOptions = {}) => {
    const page = await (await browser.newContext(options)).newPage()
    page.setDefaultTimeout(timeout)
    const complaints: Array<string> = []
    const asked: Array<string> = []
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text())
    })
    page.on("pageerror", (fault) => complaints.push(fault.message))
    page.on("request", (request) => asked.push(`${request.method()} ${request.url()}`))
    await page.goto(serving.url + path)
    return { page, complaints, asked }
  }

  const reference = (page: Page) => page.getByRole("heading", { name: "Coverage-Policy API", level: 1 })

  it.each(navigation.map(({ path }) => path).filter((path) => path !== "/docs"))(
    "%s has no fault that axe knows, in light and dark, and is no wider than a phone",
    async (path) => {
      const { complaints, page } = await opened(path)
      expect(await faultsOf({ complaints, page }, path)).toEqual([])
      await page.context().close()
    }
  )

  it("/status in an outage has no fault that axe knows, in light and dark", async () => {
    const down = { status: "down", latencyMs: null } as const
    const read = Effect.succeed({ database: down, cache: down })
    const broken = await serve(Layer.mergeAll(inMemory, MemoryLimits.layer, Layer.succeed(Probes, { read })))
    for (const look of looks) {
      const page = await (await browser.newContext(look)).newPage()
      await page.goto(`${broken.url}/status`)
      expect(await page.getByText("The API is down: calls are refused with 503.").isVisible()).toBe(true)
      expect(
        await page
          .getByRole("listitem")
          .filter({ hasText: /^Database down from .* it lasts/ })
          .count()
      ).toBe(1)
      expect(await axeFaults(page)).toEqual([])
      expect(await overflowOf(page)).toBeLessThanOrEqual(0)
      await page.getByRole("link", { name: "Read again" }).click()
      expect(new URL(page.url()).pathname).toBe("/status")
      await page.context().close()
    }
    await broken.close()
  })

  it("a page that is not there has no fault that axe knows, in light and dark, and leads on", async () => {
    for (const look of looks) {
      const { complaints, page } = await opened("/docs/nope", look)
      expect(await axeFaults(page)).toEqual([])
      expect(await overflowOf(page)).toBeLessThanOrEqual(0)
      expect(complaints.filter((text) => !text.startsWith("Failed to load resource"))).toEqual([])
      await page.getByRole("main").getByRole("link", { name: "Status" }).click()
      expect(new URL(page.url()).pathname).toBe("/status")
      await page.context().close()
    }
  })

  it("/docs without scripts is the table of operations", async () => {
    const { asked, complaints, page } = await opened("/docs", { javaScriptEnabled: false })
    expect(await page.locator("tbody tr").count()).toBe(operationIds.length)
    expect([asked.length, complaints]).toEqual([1, []])
    await page.context().close()
  })

  it("/docs asks this service alone, has no fault that axe knows, and is no wider than a phone", async () => {
    for (const look of looks) {
      const { asked, complaints, page } = await opened("/docs", look)
      await reference(page).waitFor()
      expect(await page.locator("#content").isVisible()).toBe(false)
      expect(asked.filter((url) => !url.includes(` ${serving.url}/`) && !url.includes(" data:"))).toEqual([])
      expect(await axeFaults(page)).toEqual([])
      expect(await overflowOf(page)).toBeLessThanOrEqual(0)
      expect(complaints).toEqual([])
      await page.context().close()
    }
  })

  it("its try-it calls the sandbox with a test key that it fetched, once for all visits", async () => {
    const { asked, page } = await opened("/docs#tag/payers/GET/payers")
    await reference(page).waitFor({ state: "attached" })
    await page.getByRole("button", { name: /Test Request\s*\(get \/payers\)/ }).click()
    const answered = page.waitForResponse((response) => response.url().endsWith("/api/sandbox/v1/payers"))
    await page.getByRole("button", { name: /^Send/ }).first().click()
    const response = await answered
    expect(response.status()).toBe(200)
    expect(response.request().headers()["authorization"]).toMatch(/^Bearer svc_test_/)
    expect(await response.json()).toMatchObject({ success: true })
    await page.reload()
    await reference(page).waitFor({ state: "attached" })
    expect(asked.filter((line) => line.startsWith("POST "))).toEqual([
      `POST ${serving.url}/api/sandbox/v1/keys`
    ])
    await page.context().close()
  })

  const untouched = [
    ["codes", "/codes/lookup", { code: "E0650", found: true }],
    ["policies", "/policies", { policy_id: "A95001" }],
    ["policies", "/policies/changes", { policy_id: "L90003" }],
    ["policies", "/policies/{id}", { policy_id: "L90001" }],
    ["coverage", "/coverage/criteria", { policy_id: "L90001" }],
    ["compliance", "/compliance/unreviewed", { change_type: "codes_changed" }]
  ] as const
  it("its try-it finds something when it is sent as it stands", async () => {
    const { page } = await opened("/docs")
    await reference(page).waitFor({ state: "attached" })
    for (const [tag, path, found] of untouched) {
      await page.goto(`${serving.url}/docs#tag/${tag}/GET${path}`)
      await page.getByRole("button", { name: `Test Request (get ${path})` }).click()
      const send = page.getByRole("button", { name: /^Send/ }).first()
      await send.waitFor()
      const answered = page.waitForResponse((one) =>
        one.url().includes(`/api/sandbox/v1${path.split("{")[0]}`)
      )
      await page.keyboard.press("Control+Enter")
      const response = await answered
      expect(response.status()).toBe(200)
      expect([((await response.json()) as { data: unknown }).data].flat()[0]).toMatchObject(found)
      await page.keyboard.press("Escape")
      await send.waitFor({ state: "hidden" })
    }
    await page.context().close()
  })

  it("says that no test key is to be had, and when it asks again; then asks, and fills it in", async () => {
    const context = await browser.newContext({ viewport: looks[1].viewport })
    const page = await context.newPage()
    await page.clock.install()
    let asked = 0
    await context.route("**/api/sandbox/v1/keys", (route) => {
      asked += 1
      const headers = { "retry-after": "600" }
      return asked < 3 ? route.fulfill({ status: asked === 1 ? 429 : 503, headers }) : route.continue()
    })
    await page.goto(`${serving.url}/docs#tag/payers/GET/payers`)
    await reference(page).waitFor({ state: "attached" })
    const says = page.locator("#key-status[role=status]")
    const told = (words: string) => says.filter({ hasText: words }).waitFor()
    await told("too many keys were asked for from your address. This page asks again at")
    expect(await axeFaults(page, "#key-status")).toEqual([])
    expect(await overflowOf(page)).toBeLessThanOrEqual(0)
    await page.clock.fastForward(601_000)
    await told("the service answered 503. This page asks again at")
    await page.clock.fastForward(601_000)
    await told("The test key of the sandbox has come")
    await page.getByRole("button", { name: "Test Request (get /payers)" }).click()
    const answered = page.waitForResponse((response) => response.url().endsWith("/api/sandbox/v1/payers"))
    await page.getByRole("button", { name: /^Send/ }).first().click()
    expect((await answered).status()).toBe(200)
    await page.clock.fastForward(11_000)
    expect([asked, await says.textContent()]).toEqual([3, ""])
    await context.close()
  })

  it("/docs stays the table of operations where the reference cannot be loaded", async () => {
    const context = await browser.newContext()
    await context.route("**/docs/assets/scalar-*", (route) => route.abort())
    const page = await context.newPage()
    const failed = page.waitForEvent("pageerror")
    await page.goto(`${serving.url}/docs`)
    await failed
    expect(await page.locator("#content tbody tr").count()).toBe(operationIds.length)
    expect(await page.locator("#content").isVisible()).toBe(true)
    await context.close()
  })
})
