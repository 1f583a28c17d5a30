import { once } from "node:events"
import { createServer } from "node:net"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Pool } from "../../adapters/postgres/Database.ts"
import { openSite } from "../faults/site.ts"
import type { Site } from "../faults/site.ts"
import { callTool } from "../mcp/posting.ts"
import { apps } from "./App.ts"
import type { App } from "./App.ts"
import { dance, disconnect, newMember, newOwner, removeMember } from "./people.ts"
import type { SignedInPerson } from "./people.ts"
import { openMail, timeoutMs } from "./stage.ts"

describe("§5 an agent's tokens at two server processes over one PostgreSQL and one Redis", {
  timeout: 2 * timeoutMs
}, () => {
  let site: Site
  let mail: Awaited<ReturnType<typeof openMail>>
  /** Both are reached by one name, as behind a balancer; `second` is the other one's socket. */
  let url: string
  let second: string
  let owner: SignedInPerson
  let app: App
  beforeAll(async () => {
    site = await openSite()
    mail = await openMail()
    url = (await site.start({ SMTP_URL: mail.url })).url
    const port = await freePort()
    await site.start({ SMTP_URL: mail.url, PORT: String(port), BASE_URL: url })
    second = `http://127.0.0.1:${port}`
    owner = await newOwner({ url, emailTo: mail.emailTo }, "Ada", "ada@clinic.example")
    app = apps[0][1]({ url, name: "Agent of Ada" })
  }, 4 * timeoutMs)
  afterAll(async () => {
    await app.close()
    await site.close()
    await mail.close()
  })

  const both = (token: string) =>
    Promise.all(
      [url, second].map(async (place) => {
        const { posted } = await callTool(place, token, "coverage_lookup", { code: "E0601" })
        return { status: posted.status, challenge: String(posted.headers["www-authenticate"] ?? "") }
      })
    )
  const alive = [{ status: 200 }, { status: 200 }]
  const dead = Array(2).fill({ status: 401, challenge: expect.stringContaining('error="invalid_token"') })
  const post = async (place: string, path: string, fields: Readonly<Record<string, string>>) => {
    const body = new URLSearchParams({ client_id: app.kept.information?.client_id ?? "", ...fields })
    const answer = await fetch(place + path, { method: "POST", body })
    const text = await answer.text()
    const said = text === "" ? {} : (JSON.parse(text) as Readonly<Record<string, string>>)
    return { status: answer.status, ...said }
  }
  const refresh = (place: string, token: string) =>
    post(place, "/oauth/token", { grant_type: "refresh_token", refresh_token: token }) as Promise<
      Readonly<Record<string, unknown>>
    >
  const tokens = () => app.kept.tokens ?? { access_token: "", refresh_token: "" }

  it("a token that one issued is good at the other; given back there it is dead at both", async () => {
    await dance(owner, app)
    const { access_token: token } = tokens()
    expect(await both(token)).toMatchObject(alive)
    expect(await post(second, "/oauth/revoke", { token })).toEqual({ status: 200 })
    expect(await both(token)).toEqual(dead)
  })

  it("eight refreshes of one token that race at both get one successor and live access tokens", async () => {
    await dance(owner, app)
    const { access_token: first, refresh_token: token } = tokens()
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, number) => refresh(number % 2 === 0 ? url : second, token))
      )
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
      expect(new Set(answers.map((one) => one["refresh_token"])).size).toBe(1)
      for (const one of answers) expect(await both(String(one["access_token"]))).toMatchObject(alive)
    }
    expect(await both(first)).toMatchObject(alive)
  })

  it("a rotated token presented to the other server a minute later ends the grant at both", async () => {
    await dance(owner, app)
    const { refresh_token: old } = tokens()
    const next = await refresh(second, old)
    expect(await both(String(next["access_token"]))).toMatchObject(alive)
    await site.run(
      Effect.flatMap(
        Pool,
        (sql) => sql`update oauth_record set spent_at = spent_at - interval '61 seconds'
          where model = 'RefreshToken' and spent_at is not null`
      )
    )
    expect(await refresh(url, old)).toMatchObject({ status: 400, error: "invalid_grant" })
    expect(await both(String(next["access_token"]))).toEqual(dead)
  })

  it("what the pages of one disconnect or remove is dead at the other at once", async () => {
    await dance(owner, app)
    await disconnect(owner, "Agent of Ada")
    expect(await both(tokens().access_token)).toEqual(dead)
    const place = { url, emailTo: mail.emailTo }
    const member = await newMember(place, owner, { name: "Max", email: "max@clinic.example" })
    await dance(member, app)
    expect(await both(tokens().access_token)).toMatchObject(alive)
    await removeMember(owner, "Max")
    expect(await both(tokens().access_token)).toEqual(dead)
  })
})

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, "127.0.0.1")
  await once(probe, "listening")
  const address = probe.address()
  probe.close()
  await once(probe, "close")
  return typeof address === "object" && address !== null ? address.port : 0
}
