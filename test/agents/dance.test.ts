import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { toolNames } from "../../core/mcp/tools.ts"
import { starterCredits } from "../../core/organization/pack.ts"
import { pathIn } from "../dashboard/browsing.ts"
import { callTool } from "../mcp/posting.ts"
import { apps } from "./App.ts"
import type { App } from "./App.ts"
import { allows, dance, disconnect, newMember, newOwner, removeMember } from "./people.ts"
import type { SignedInPerson } from "./people.ts"
import { openStage, timeoutMs } from "./stage.ts"
import type { Stage } from "./stage.ts"
import { byName, usageTotals, csvOf, figuresOf, tableOf } from "./usageTold.ts"
import type { MadeCall } from "./usageTold.ts"

const fixtures = "apps/sandbox/fixtures"

/** Every tool asked of what was imported, the operation that its usage is written under, and its price. */
const asked = [
  ["coverage_lookup", { code: "62321" }, "lookupCode", 1, "NSH-MP-101"],
  ["policy_research", { q: "epidural" }, "listPolicies", 2, "NSH-MP-101"],
  ["policy_research", { policy_id: "NSH-MP-101" }, "getPolicy", 2, "Lumbar Epidural Injections"],
  ["prior_auth_check", { procedure_codes: ["62321"], payer: "northstar" }, "checkPriorAuth", 3, "NSH-"],
  ["claim_validation", { procedure_codes: ["62321"], payer: "northstar" }, "validateClaim", 6, "NSH-"],
  ["compliance_review", { view: "stats" }, "complianceStats", 1, ""]
] as const

let stage: Stage
beforeAll(async () => {
  stage = await openStage([
    ["mcd", `${fixtures}/mcd`],
    ["policies", `${fixtures}/policies.ndjson`]
  ])
}, 4 * timeoutMs)
afterAll(() => stage.close())

describe.each(apps)(
  "§5 the whole dance of an agent with the official client (%s)",
  {
    timeout: 2 * timeoutMs
  },
  (version, appOf) => {
    const domain = `${version.replaceAll(/[^0-9a-z]/g, "")}.example`
    const made: Array<MadeCall> = []
    let owner: SignedInPerson
    let member: SignedInPerson
    let app: App
    let theirs: App
    beforeAll(async () => {
      owner = await newOwner(stage, "Ada", `ada@${domain}`)
      member = await newMember(stage, owner, { name: "Max", email: `max@${domain}` })
      app = appOf({ url: stage.url, name: "Agent of Ada" })
      theirs = appOf({ url: stage.url, name: "Agent of Max" })
    }, 2 * timeoutMs)
    afterAll(async () => {
      await app.close()
      await theirs.close()
    })

    const spent = () => made.reduce((sum, { credits }) => sum + credits, 0)

    /** A call that is answered, and what it leaves, which the books must say too. */
    const pay = async (by: App, [tool, input, operation, credits]: Payable, failed = false) => {
      const { content, isError, remaining } = await by.call(tool, input)
      made.push({ app: by.kept.information?.client_id ?? "", tool, operation, credits, failed })
      const left = starterCredits - spent()
      expect([tool, isError, content.meta.credits]).toEqual([
        tool,
        failed,
        { cost: credits, remaining: left }
      ])
      expect(remaining).toBe(String(left))
      return content
    }
    const cheap: Payable = ["compliance_review", { view: "stats" }, "complianceStats", 1]

    const tokenOf = (by: App) => by.kept.tokens?.access_token ?? ""
    const raw = async (token: string) => {
      const { posted } = await callTool(stage.url, token, "system_health")
      const code = posted.status === 200 ? "" : Object(JSON.parse(posted.text)).error.code
      return { status: posted.status, code, challenge: String(posted.headers["www-authenticate"] ?? "") }
    }
    const dead = {
      status: 401,
      code: "AUTH_INVALID_TOKEN",
      challenge: expect.stringContaining('error="invalid_token"')
    }
    const post = (path: string, fields: Readonly<Record<string, string>>) =>
      fetch(`${stage.url}${path}`, { method: "POST", body: new URLSearchParams(fields) })
    const refreshed = async (by: App, refreshToken: string) => {
      const answer = await post("/oauth/token", {
        grant_type: "refresh_token",
        client_id: by.kept.information?.client_id ?? "",
        refresh_token: refreshToken
      })
      return { status: answer.status, ...((await answer.json()) as Readonly<Record<string, unknown>>) }
    }
    /** The access token as if its hour had passed. */
    const spoilAccessToken = () => {
      if (app.kept.tokens !== undefined)
        app.kept.tokens = { ...app.kept.tokens, access_token: "x".repeat(43) }
    }
    /** The library finds its token refused and its refresh too, and sends the person to consent again. */
    const expectAskedAgain = async (by: App) => {
      await expect(by.call("system_health")).rejects.toThrow()
      expect(by.kept.asked?.pathname).toBe("/oauth/authorize")
      expect(by.kept.tokens).toBeUndefined()
    }

    it("401, discovery, registration, and then a person is asked", async () => {
      await expect(app.connect()).rejects.toThrow(/unauthorized/i)
      expect(app.sent.map(({ says }) => says)).toEqual([
        "POST /mcp 401",
        "GET /.well-known/oauth-protected-resource/mcp 200",
        "GET /.well-known/oauth-authorization-server 200",
        "POST /oauth/register 201"
      ])
      expect(app.sent[0]?.headers.get("www-authenticate")).toContain(
        `resource_metadata="${stage.url}/.well-known/oauth-protected-resource/mcp"`
      )
      expect(Object.fromEntries(app.kept.asked?.searchParams ?? [])).toMatchObject({
        code_challenge_method: "S256",
        resource: `${stage.url}/mcp`,
        scope: "service:mcp read"
      })
    })

    it("the person allows it, the code becomes tokens, every tool answers of what was imported", async () => {
      const back = await allows(owner, app)
      expect(Object.fromEntries(back.searchParams)).toEqual({
        code: expect.any(String),
        iss: stage.url,
        state: "state of Agent of Ada"
      })
      await app.finish(back)
      await app.connect()
      expect(await app.tools()).toEqual(toolNames)
      for (const [tool, input, operation, credits, holds] of asked)
        expect(JSON.stringify(await pay(app, [tool, input, operation, credits]))).toContain(holds)
      const { content, isError } = await app.call("system_health")
      expect([isError, content.meta.credits.cost]).toEqual([false, 0])
    })

    it("§8.3 what the operation refuses is paid; what is refused before is not", async () => {
      const unknown = { policy_id: "NSH-MP-999" }
      const content = await pay(app, ["policy_research", unknown, "getPolicy", 2], true)
      expect(content.error?.code).toBe("RESOURCE_POLICY_NOT_FOUND")
      const refused = await app.call("coverage_lookup", { code: "" })
      expect([refused.isError, refused.content.meta.credits.cost]).toEqual([true, 0])
    })

    it("refreshes twice by itself, and the first refresh token still returns the newest", async () => {
      const first = app.kept.tokens?.refresh_token ?? ""
      const seen = new Set([tokenOf(app), first])
      for (const round of [1, 2]) {
        spoilAccessToken()
        app.sent.length = 0
        await pay(app, cheap)
        expect(app.sent.map(({ says }) => says)).toContain("POST /oauth/token 200")
        seen.add(tokenOf(app)).add(app.kept.tokens?.refresh_token ?? "")
        expect(seen.size).toBe(2 + 2 * round)
      }
      expect(await raw(tokenOf(app))).toMatchObject({ status: 200 })
      const again: Readonly<Record<string, unknown>> = await refreshed(app, first)
      expect(again).toMatchObject({ status: 200, refresh_token: app.kept.tokens?.refresh_token })
      expect(await raw(String(again["access_token"]))).toMatchObject({ status: 200 })
    })

    it("five parallel calls on a dead access token all succeed, and the connection goes on", async () => {
      for (let round = 0; round < 3; round++) {
        spoilAccessToken()
        app.sent.length = 0
        const results = await Promise.all(Array.from({ length: 5 }, () => app.call("system_health")))
        expect(results.map(({ isError }) => isError)).toEqual(Array(5).fill(false))
        const refreshes = app.sent.map(({ says }) => says).filter((says) => says.includes("/oauth/token"))
        expect(new Set(refreshes)).toEqual(new Set(["POST /oauth/token 200"]))
        await pay(app, cheap)
      }
      expect(app.kept.asked).toBeUndefined()
    })

    it("RFC 7009 a token that is given back is dead at once, and its refresh token with it", async () => {
      await pay(app, cheap)
      const { access_token: token, refresh_token: refreshToken } = app.kept.tokens ?? { ...none }
      expect(await raw(token)).toMatchObject({ status: 200 })
      const clientId = app.kept.information?.client_id ?? ""
      expect((await post("/oauth/revoke", { client_id: clientId, token })).status).toBe(200)
      expect(await raw(token)).toEqual(dead)
      expect(await refreshed(app, refreshToken)).toMatchObject({ status: 400, error: "invalid_grant" })
      await expectAskedAgain(app)
    })

    it("an app that the owner disconnects on its page is dead at once", async () => {
      await dance(owner, app)
      await pay(app, cheap)
      const token = tokenOf(app)
      const page = await disconnect(owner, "Agent of Ada")
      expect(await raw(token)).toEqual(dead)
      expect(page.text).toContain("No apps connected")
      await expectAskedAgain(app)
    })

    it("a member's app is dead at once when the member is removed", async () => {
      await dance(member, theirs)
      await pay(theirs, cheap)
      const token = tokenOf(theirs)
      expect(await raw(token)).toMatchObject({ status: 200 })
      const page = await removeMember(owner, "Max")
      expect(await raw(token)).toEqual(dead)
      expect(page.text).not.toContain(`max@${domain}`)
      await expectAskedAgain(theirs)
      const refused = await member.browser.get(`${owner.home}/apps`)
      expect(refused.status).toBe(404)
    })

    it("suspending the organization ends its grants at once, and lifting it brings none back", async () => {
      await dance(owner, app)
      await pay(app, cheap)
      const { access_token: token, refresh_token: refreshToken } = app.kept.tokens ?? { ...none }
      expect(await raw(token)).toMatchObject({ status: 200 })
      await stage.operate("org", "suspend", owner.organizationId, "--reason", "unpaid")
      expect(await raw(token)).toEqual(dead)
      expect(await refreshed(app, refreshToken)).toMatchObject({ status: 400, error: "invalid_grant" })
      await stage.operate("org", "unsuspend", owner.organizationId)
      expect(await raw(token)).toEqual(dead)
      await expectAskedAgain(app)
      await dance(owner, app)
      await pay(app, cheap)
    })

    it("§6 the books, the usage page and its export say exactly the calls that were made", async () => {
      const ledger = await stage.operate("ledger", owner.organizationId)
      expect(ledger).toMatchObject({
        granted: starterCredits,
        charged: spent(),
        refunded: 0,
        balance: starterCredits - spent()
      })
      // An app keeps its name after its connection ended.
      const one = app.kept.information?.client_id
      const nameOf = (by: string) => (by === one ? "Agent of Ada" : "Agent of Max")
      await expect
        .poll(async () => (await csvOf(owner.browser, owner.home)).map(withoutDay), { timeout: 20_000 })
        .toEqual(
          usageTotals(made, ({ app: by, operation, tool }) => [operation, by, tool].join()).map(
            ({ of, calls, credits, errors }) => ({
              operation: of.operation,
              caller: of.app,
              caller_name: nameOf(of.app),
              source: "mcp",
              tool: of.tool,
              calls: String(calls),
              credits: String(credits),
              errors: String(errors)
            })
          )
        )
      const { text } = await owner.browser.get(`${owner.home}/usage?days=7`)
      const shown = (caption: string) => tableOf(text, caption).toSorted(byName)
      const due = (name: (call: MadeCall) => string) =>
        usageTotals(made, name)
          .map(({ calls, credits, errors, name: told }) => ({ name: told, calls, errors, credits }))
          .toSorted(byName)
      expect(shown("Calls by MCP tool")).toEqual(due(({ tool }) => tool))
      expect(shown("Calls by operation")).toEqual(due(({ operation }) => operation))
      expect(shown("Calls by key and app")).toEqual(due(({ app: by }) => `${nameOf(by)} ${by}`))
      expect(figuresOf(text)).toMatchObject({
        Calls: String(made.length),
        Credits: String(spent()),
        Errors: String(made.filter(({ failed }) => failed).length)
      })
    })

    it("and the audit log names who connected and who ended it", async () => {
      const { text } = await owner.browser.get(`${owner.home}/audit`)
      expect([...text.matchAll(/App connected: Agent of Ada/g)]).toHaveLength(4)
      expect([...text.matchAll(/App connected: Agent of Max/g)]).toHaveLength(1)
      expect(text).toContain("App disconnected: Agent of Ada")
      expect(text).toContain(pathIn(`max@${domain}`, "max@"))
    })
  }
)

type Payable = readonly [
  tool: string,
  input: Readonly<Record<string, unknown>>,
  operation: string,
  credits: number
]

const none = { access_token: "", refresh_token: "" }

const withoutDay = ({ day: _, ...line }: Readonly<Record<string, string>>) => line
