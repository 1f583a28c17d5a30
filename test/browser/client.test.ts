import { readFileSync, readdirSync } from "node:fs"
import { createServer } from "node:http"
import type { IncomingMessage, ServerResponse } from "node:http"
import { stripTypeScriptTypes } from "node:module"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import type * as Layer from "effect/Layer"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { movableClock } from "../http/clock.ts"
import { serve } from "../http/harness.ts"
import type { ServedApp } from "../http/harness.ts"
import { sandboxOver, sandboxStores } from "../http/sandboxCalls.ts"
import { launch, noBrowser } from "../kit/chromium.ts"

if (noBrowser !== undefined) console.warn(`the client is not tried in a browser: ${noBrowser}`)

/** A browser is slow where much else runs. */
const timeout = 120_000
const root = new URL("../../", import.meta.url)
const effect = new URL("node_modules/effect/dist/", root)

/** Effect by its modules' names, as a bundler would find it. */
const importMap = (): string => {
  const names = ["", "encoding/"].flatMap((folder) =>
    readdirSync(new URL(folder, effect))
      .filter((name) => name.endsWith(".js"))
      .map((name) => folder + name)
  )
  const imports = Object.fromEntries(names.map((name) => [`effect/${name.slice(0, -3)}`, `/effect/${name}`]))
  return JSON.stringify({ imports })
}

/** Files of the project as scripts, by their place in the tree; undefined: none. */
const scriptAt = (path: string): string | undefined => {
  if (/^\/(adapters\/client|core)\/[\w/]+\.ts$/.test(path))
    return stripTypeScriptTypes(readFileSync(new URL(`.${path}`, root), "utf8"))
  const module = /^\/effect\/([\w/.-]+\.js)$/.exec(path)?.[1]
  return module === undefined ? undefined : readFileSync(new URL(module, effect), "utf8")
}

describe.runIf(noBrowser === undefined)("the client in a browser", { timeout }, () => {
  let serving: ServedApp<Layer.Success<ReturnType<typeof sandboxOver>>>
  let browser: Browser
  /** One origin for the page and, behind it, the service. */
  const origin = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const { headers, method = "GET", url = "/" } = request
    const script = scriptAt(url)
    if (script !== undefined)
      return response.writeHead(200, { "content-type": "text/javascript" }).end(script)
    if (url.startsWith("/away/"))
      return response.writeHead(307, { location: url.slice("/away".length) }).end()
    if (!url.startsWith("/api/"))
      return response
        .writeHead(200, { "content-type": "text/html" })
        .end(`<!doctype html><script type="importmap">${importMap()}</script>`)
    const { authorization = "", "content-type": type = "application/json" } = headers
    const body = await text(request)
    const answer = await fetch(serving.url + url, {
      method,
      headers: { authorization, "content-type": type },
      ...(body === "" ? {} : { body })
    })
    return response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text())
  })
  beforeAll(async () => {
    serving = await serve(sandboxOver(sandboxStores[0][1], movableClock(Date.now())))
    browser = await launch()
    await new Promise<void>((resolve) => origin.listen(0, "127.0.0.1", resolve))
  }, timeout)
  afterAll(async () => {
    await browser.close()
    origin.close().closeAllConnections()
    await serving.close()
  })

  it("calls, walks a list, tells an error, follows no redirect and verifies a webhook", async () => {
    const page = await browser.newPage()
    page.setDefaultTimeout(timeout)
    await page.goto(`http://127.0.0.1:${(origin.address() as AddressInfo).port}/`)
    expect(await page.evaluate(inBrowser)).toEqual({
      title: "Pneumatic Compression Devices",
      rows: 3,
      code: "RESOURCE_POLICY_NOT_FOUND",
      away: "REDIRECTED",
      judged: "timestamp"
    })
  })
})

/** What the page does, in its own words. */
const inBrowser = `(async () => {
  const { makeClient, sandboxKey, verifyWebhook } = await import("/adapters/client/client.ts")
  const baseUrl = location.origin
  const key = await sandboxKey({ baseUrl })
  const client = makeClient({ baseUrl, key, surface: "sandbox" })
  const { data } = await client.getPolicy({ id: "L90003" })
  let rows = 0
  for await (const _ of client.items("listPolicies", { limit: 1 })) if (++rows === 3) break
  const codeOf = (call) => call.then(() => "none", (error) => error.code)
  const code = await codeOf(client.getPolicy({ id: "L99999" }))
  const away = await codeOf(makeClient({ baseUrl: baseUrl + "/away", key }).listPayers())
  const headers = { "webhook-id": "msg_1", "webhook-timestamp": "1", "webhook-signature": "v1,x" }
  const secret = "whsec_" + btoa("x".repeat(32))
  const { reason } = await verifyWebhook({ headers, body: "{}" }, { secret })
  return { title: data.title, rows, code, away, judged: reason }
})()`
