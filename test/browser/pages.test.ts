import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { pages as table } from "../../adapters/dashboard/pages.ts"
import { answer } from "../cli/commandLine.ts"
import { httpReceiver } from "../kit/receivers.ts"
import { authorizePath, clientIdOf, pkce, redirectUri, register } from "../oauth/client.ts"
import { faultsOf } from "./looking.ts"
import { ask, createKey, newOrganization, password, press, seeUsage, signUp, waitForTitle } from "./people.ts"
import { openPage, openStage, timeoutMs } from "./stage.ts"
import type { Stage, Visitor } from "./stage.ts"

/** What the `:names` of paths stand for, once everything is prepared. */
type Places = Readonly<Record<string, string>>

/** These show nothing: one leads on, one is a download. */
const silent: ReadonlySet<string> = new Set([
  "/dashboard/:organization",
  "/dashboard/:organization/usage.csv"
])
/** Whoever is signed in is led on from these. */
const forStrangers: ReadonlySet<string> = new Set([
  "/",
  "/signup",
  "/signup/sent",
  "/login",
  "/invitations/:invitation"
])
const paths = [...new Set(table.filter(({ method }) => method === "GET").map(({ path }) => path))].filter(
  (path) => !silent.has(path)
)

describe("contract §3 every page, in both themes and at a phone's width", { timeout: 2 * timeoutMs }, () => {
  const scope = Scope.makeUnsafe()
  let stage: Stage
  let owner: Visitor
  let stranger: Visitor
  let member: Visitor
  let places: Places
  let fresh: string

  beforeAll(async () => {
    const receiver = await Effect.runPromise(
      Effect.provideService(
        httpReceiver((_request, response) => response.writeHead(204).end()),
        Scope.Scope,
        scope
      )
    )
    stage = await openStage({ WEBHOOK_LOOPBACK: String(receiver.port) })
    owner = await openPage(stage)
    stranger = await openPage(stage)
    member = await openPage(stage)
    await owner.page.goto("/signup")
    await signUp(stage, owner.page, { name: "Ada Lovelace", email: "ada@clinic.example" })
    const home = await newOrganization(owner.page, "Example Clinic of the Northern Valleys")
    const organization = home.replace("/dashboard/", "")
    await answer(["org", "pack", organization, "scale"], stage.environment)
    const key = await called(home)
    const endpoint = await endpointOf(home, receiver.url)
    const invitation = await invited(home)
    const { grant, uid } = await connected(home)
    places = { organization, key, endpoint, invitation, grant, uid, person: await personOf(home) }
    await owner.page.goto("/dashboard/new")
    fresh = await newOrganization(owner.page, "Second Clinic")
  }, 4 * timeoutMs)
  afterAll(async () => {
    await stage?.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  /** Two keys, one of which is revoked, with calls that the usage page shows; answers the id of the other. */
  const called = async (home: string): Promise<string> => {
    const { page } = owner
    const old = await createKey(page, home, "retired report")
    await page.goto(`${home}/keys`)
    await page.getByRole("link", { name: /^Revoke retired report/ }).click()
    await press(page, "Revoke the key")
    const key = await createKey(page, home, "nightly import")
    for (const each of [key, key, key, old]) await ask(stage, each)
    await page.goto(`${home}/keys`)
    const toRevoke = await page.getByRole("link", { name: /^Revoke nightly import/ }).getAttribute("href")
    await seeUsage(page, home)
    return toRevoke?.split("/").at(-2) ?? ""
  }

  /** An endpoint with a delivery in its log. */
  const endpointOf = async (home: string, url: string): Promise<string> => {
    const { page } = owner
    await page.goto(`${home}/webhooks`)
    await page.getByLabel("URL").fill(url)
    await press(page, "Add endpoint")
    await page.locator("#secret").waitFor()
    await page.goto(`${home}/webhooks`)
    await page.getByRole("link", { name: url }).click()
    return new URL(page.url()).pathname.split("/").at(-1) ?? ""
  }

  /** A member who came by an invitation, and an invitation that is still open. */
  const invited = async (home: string): Promise<string> => {
    for (const email of ["max@clinic.example", "guest@clinic.example"]) {
      await owner.page.goto(`${home}/members`)
      await owner.page.getByLabel("Email").fill(email)
      await press(owner.page, "Send invitation")
      await owner.page.getByText("The invitation is sent").waitFor()
    }
    const { page } = member
    await page.goto(await stage.linkTo("max@clinic.example", "/invitations/"))
    await page.getByRole("link", { name: "Create an account" }).click()
    await signUp(stage, page, { name: "Max Planck", email: "max@clinic.example" })
    await press(page, "Accept the invitation")
    await page.getByText("you are now a member").waitFor()
    const open = await stage.linkTo("guest@clinic.example", "/invitations/")
    return new URL(open).pathname.split("/").at(-1) ?? ""
  }

  const personOf = async (home: string): Promise<string> => {
    await owner.page.goto(`${home}/members`)
    const link = owner.page.getByRole("link", { name: "Remove Max Planck" })
    return decodeURIComponent((await link.getAttribute("href"))?.split("/").at(-2) ?? "")
  }

  /** An app that is connected, and the request of another for consent. */
  const connected = async (home: string) => {
    const { context, page } = owner
    await context.route(`${new URL(redirectUri).origin}/**`, (route) => route.fulfill({ body: "connected" }))
    const parameters = { resource: `${stage.url}/mcp` }
    const begin = async (name: string) => {
      const clientId = await clientIdOf(register(stage, { client_name: name }))
      await page.goto(authorizePath({ clientId, ...pkce(), parameters }))
      await waitForTitle(page, `Connect ${name}?`)
    }
    await begin("Coding Assistant")
    await press(page, "Allow")
    await page.getByText("connected").waitFor()
    await begin("Example App")
    const uid = new URL(page.url()).pathname.split("/").at(-1) ?? ""
    await page.goto(`${home}/apps`)
    const link = page.getByRole("link", { name: /^Disconnect Coding Assistant/ })
    const grant = decodeURIComponent((await link.getAttribute("href"))?.split("/").at(-2) ?? "")
    return { grant, uid }
  }

  const placed = (path: string): string => {
    const there = path.replaceAll(/:(\w+)/g, (_, name: string) => {
      const place = places[name]
      if (place === undefined || place === "") throw new Error(`nothing is prepared for :${name}`)
      return encodeURIComponent(place)
    })
    return ["/verify", "/reset"].includes(there) ? `${there}?token=a-token` : there
  }

  it.each(paths)("%s", async (path) => {
    const visitor = forStrangers.has(path) ? stranger : owner
    const target = placed(path)
    await visitor.page.goto(target)
    expect(`${new URL(visitor.page.url()).pathname}`).toBe(target.split("?")[0])
    expect(await faultsOf(visitor, path)).toEqual([])
  })

  const sections = ["usage", "keys", "credits", "webhooks", "members", "apps", "audit", "settings"]
  it.each(sections)("%s of an organization just made", async (section) => {
    await owner.page.goto(`${fresh}/${section}`)
    expect(await faultsOf(owner, `first day ${section}`)).toEqual([])
  })

  it.each(["keys", "members", "webhooks", "credits", "settings"])(
    "%s as a member sees it",
    async (section) => {
      await member.page.goto(`/dashboard/${places["organization"]}/${section}`)
      expect(await faultsOf(member, `member ${section}`)).toEqual([])
    }
  )

  it("what the owner must hear of stands above every page, and the menu of organizations opens", async () => {
    const elsewhere = await openPage(stage, { userAgent: "Example Browser on another machine" })
    const { page } = elsewhere
    await page.goto(`/login?next=${encodeURIComponent(`/dashboard/${places["organization"]}/keys`)}`)
    await page.getByLabel("Email").fill("ada@clinic.example")
    await page.getByLabel("Password").fill(password)
    await press(page, "Sign in")
    await page.getByRole("region", { name: "Notices" }).waitFor()
    expect(await faultsOf(elsewhere, "notice")).toEqual([])
    await page.locator("details.menu summary").click()
    expect(await faultsOf(elsewhere, "menu")).toEqual([])
    await elsewhere.context.close()
  })

  it("what forms and failures answer", async () => {
    const { page } = owner
    await createKey(page, fresh, "a key that is shown")
    expect(await faultsOf(owner, "key shown")).toEqual([])
    await page.goto(`${fresh}/keys`)
    await press(page, "Create key")
    expect(await faultsOf(owner, "key faulty")).toEqual([])
    await page.goto(`/dashboard/${places["organization"]}/webhooks/${places["endpoint"]}`)
    await page.getByRole("button", { name: /test/i }).click()
    await page.waitForURL(/\/test$/)
    expect(await faultsOf(owner, "webhook tested")).toEqual([])
    await page.goto("/dashboard/org_unknown/keys")
    expect(await faultsOf(owner, "missing")).toEqual([])
    await page.goto("/oauth/authorize?client_id=unknown")
    expect(await faultsOf(owner, "consent refused")).toEqual([])
    await stranger.page.goto("/login")
    await stranger.page.getByLabel("Email").fill("ada")
    await press(stranger.page, "Sign in")
    expect(await faultsOf(stranger, "sign-in faulty")).toEqual([])
    await member.page.goto(`/dashboard/${places["organization"]}/keys/${places["key"]}/revoke`)
    expect(await faultsOf(member, "forbidden")).toEqual([])
  })
})
