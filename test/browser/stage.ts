import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { startServer } from "../cli/commandLine.ts"
import type { Environment } from "../cli/commandLine.ts"
import { launch } from "../kit/chromium.ts"
import { forget } from "../kit/dataDir.ts"
import { mailServer } from "../kit/smtp.ts"
import type { ArrivedEmail } from "../kit/smtp.ts"

/** A browser and a server are slow where much else runs. */
export const timeoutMs = 60_000

/** The service as a process of its own with its embedded database, a mail server, and a browser before it. */
export interface Stage {
  readonly url: string
  /** What the service was started with, for the operator's commands beside it. */
  readonly environment: Environment
  readonly browser: Browser
  /** The link in the next email to the address that holds one to this path; each is told once. */
  readonly linkTo: (email: string, path: string) => Promise<string>
  readonly close: () => Promise<void>
}

/** Starts all of it. */
export const openStage = async (more: Environment = {}): Promise<Stage> => {
  // First, since where there is no browser nothing else is worth starting.
  const browser = await launch()
  const scope = Scope.makeUnsafe()
  const mail = await Effect.runPromise(Effect.provideService(mailServer, Scope.Scope, scope))
  const DATA_DIR = mkdtempSync(join(tmpdir(), "coverage-browser-"))
  const environment = { DATA_DIR, SMTP_URL: `smtp://127.0.0.1:${mail.port}`, ...more }
  const server = await startServer(environment)
  return {
    url: server.url,
    environment,
    browser,
    linkTo: linkFinder(mail.next),
    close: async () => {
      await browser.close()
      await server.stop()
      await Effect.runPromise(Scope.close(scope, Exit.void))
      forget(DATA_DIR)
    }
  }
}

const linkFinder = (next: Effect.Effect<ArrivedEmail>): Stage["linkTo"] => {
  const waiting: Array<ArrivedEmail> = []
  const found = (email: string, path: string): string | undefined => {
    for (const [index, { source, to }] of waiting.entries()) {
      const link = to.includes(email) ? linkIn(source, path) : undefined
      if (link === undefined) continue
      waiting.splice(index, 1)
      return link
    }
    return undefined
  }
  return async (email, path) => {
    for (;;) {
      const link = found(email, path)
      if (link !== undefined) return link
      waiting.push(await Effect.runPromise(Effect.timeout(next, timeoutMs)))
    }
  }
}

/** Letters are plain text; long lines are broken as quoted-printable breaks them. */
const linkIn = (source: string, path: string): string | undefined =>
  source
    .replaceAll("=\r\n", "")
    .replaceAll("=3D", "=")
    .split(/\s+/)
    .find((word) => word.startsWith("http") && new URL(word).pathname.startsWith(path))

/** A page of a browser that nobody used before, and what it complained of. */
export const openPage = async (
  stage: Stage,
  options: Parameters<Browser["newContext"]>[0] = {}
): Promise<Visitor> => {
  const context = await stage.browser.newContext({ baseURL: stage.url, reducedMotion: "reduce", ...options })
  context.setDefaultTimeout(timeoutMs)
  const page = await context.newPage()
  const complaints: Array<string> = []
  page.on("console", (message) => {
    const isOfStatus = message.text().startsWith("Failed to load resource: the server responded")
    if (["error", "warning"].includes(message.type()) && !isOfStatus) complaints.push(message.text())
  })
  // The browser complains of a page with an error's status as well, which our refusals have on purpose.
  page.on("response", (response) => {
    const isPage = response.request().resourceType() === "document"
    if (response.status() >= 400 && !isPage) complaints.push(`${response.status()} ${response.url()}`)
  })
  page.on("pageerror", (fault) => complaints.push(fault.message))
  return { page, context, complaints }
}

export interface Visitor {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors of scripts, refusals of the content policy, and whatever else the console shows in red. */
  readonly complaints: Array<string>
}
