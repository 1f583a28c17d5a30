import * as Effect from "effect/Effect"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { Audit } from "../../core/port/Audit.ts"
import { OAuthGrants } from "../../core/port/OAuthGrants.ts"
import { Organizations } from "../../core/port/Organizations.ts"
import { OAuthMembers } from "../kit/oauths.ts"
import { authorizeClient, connectClient, errorOf, holder, refresh, revoke, token } from "./client.ts"
import type { Tokens } from "./client.ts"
import type { OAuthSite } from "./serving.ts"
import { outage, serve } from "./serving.ts"

const dayMs = 86_400_000
const invalidGrant = { status: 400, error: "invalid_grant" }

describe("§5 how tokens end", () => {
  let serving: OAuthSite
  beforeAll(async () => {
    serving = await serve()
  })
  afterAll(() => serving.close())
  afterEach(() => void vi.useRealTimers())

  /** Stops the clock at the next whole second, since the protocol counts in seconds. */
  const startClock = (): number => {
    const beganMs = Math.floor(Date.now() / 1_000) * 1_000
    vi.useFakeTimers({ toFake: ["Date"], now: beganMs })
    return beganMs
  }

  const isDead = async (clientId: string, tokens: Tokens) =>
    (await holder(serving, tokens.access_token)) === undefined &&
    (await refresh(serving, clientId, tokens.refresh_token)).status === 400

  it("a code that comes twice is refused, and takes what it gave along", async () => {
    const { clientId, fields, tokens } = await connectClient(serving)
    expect(await errorOf(token(serving, fields))).toEqual(invalidGrant)
    expect(await isDead(clientId, tokens)).toBe(true)
  })

  it("of two that redeem a code at once at most one gets tokens, and they end", async () => {
    const { fields, clientId } = await authorizeClient(serving)
    const answers = await Promise.all([token(serving, fields), token(serving, fields)])
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    for (const answer of answers)
      if (answer.status === 200) expect(await isDead(clientId, (await answer.json()) as Tokens)).toBe(true)
  })

  it("a refresh token that comes again after 60 s ends its family, and no other of the client", async () => {
    const beganMs = startClock()
    const bystander = await connectClient(serving)
    const { clientId, grant, tokens } = await connectClient(serving, { clientId: bystander.clientId })
    const next = (await (await refresh(serving, clientId, tokens.refresh_token)).json()) as Tokens
    expect(await holder(serving, next.access_token)).toBeDefined()
    vi.setSystemTime(beganMs + 60_001)
    expect(await errorOf(refresh(serving, clientId, tokens.refresh_token))).toEqual(invalidGrant)
    expect(await isDead(clientId, next)).toBe(true)
    expect(await isDead(clientId, tokens)).toBe(true)
    expect(await holder(serving, bystander.tokens.access_token)).toBeDefined()
    expect((await refresh(serving, clientId, bystander.tokens.refresh_token)).status).toBe(200)
    const { organizationId } = grant
    const { entries } = await serving.run(
      Effect.flatMap(Audit, ({ list }) => list({ organizationId, before: null, limit: 10 }))
    )
    expect(entries).toMatchObject([
      { action: "app.disconnected", actor: { kind: "service" }, subject: "Example App" }
    ])
  })

  it("another client's code or token is refused, and spends nothing", async () => {
    const { clientId } = await connectClient(serving)
    const { fields, clientId: owner } = await authorizeClient(serving)
    expect(await errorOf(token(serving, { ...fields, client_id: clientId }))).toEqual(invalidGrant)
    const tokens = (await (await token(serving, fields)).json()) as Tokens
    expect(await errorOf(refresh(serving, clientId, tokens.refresh_token))).toEqual(invalidGrant)
    await revoke(serving, { client_id: clientId, token: tokens.refresh_token })
    expect((await refresh(serving, owner, tokens.refresh_token)).status).toBe(200)
  })

  it("§8 refreshing goes on for 30 days from the consent, and not a second longer", async () => {
    const beganMs = startClock()
    const { clientId, tokens } = await connectClient(serving)
    vi.setSystemTime(beganMs + 3_599_000)
    expect(await holder(serving, tokens.access_token)).toBeDefined()
    vi.setSystemTime(beganMs + 3_600_000)
    expect(await holder(serving, tokens.access_token)).toBeUndefined()
    let last = tokens
    for (const atMs of [15 * dayMs, 29 * dayMs, 30 * dayMs - 600_000]) {
      vi.setSystemTime(beganMs + atMs)
      last = (await (await refresh(serving, clientId, last.refresh_token)).json()) as Tokens
    }
    expect(last.expires_in).toBe(600)
    expect(await holder(serving, last.access_token)).toBeDefined()
    vi.setSystemTime(beganMs + 30 * dayMs)
    expect(await holder(serving, last.access_token)).toBeUndefined()
    expect(await errorOf(refresh(serving, clientId, last.refresh_token))).toEqual(invalidGrant)
  })

  it("a code is good for a minute", async () => {
    const beganMs = startClock()
    const { fields } = await authorizeClient(serving)
    vi.setSystemTime(beganMs + 60_000)
    expect(await errorOf(token(serving, fields))).toEqual(invalidGrant)
  })

  it("RFC 7009 revoking either token ends the grant; an unknown one is answered alike", async () => {
    for (const member of ["access_token", "refresh_token"] as const) {
      const { clientId, grant, tokens } = await connectClient(serving)
      const answer = await revoke(serving, { client_id: clientId, token: tokens[member] })
      expect([answer.status, await answer.text()]).toEqual([200, ""])
      expect(await isDead(clientId, tokens)).toBe(true)
      const { organizationId } = grant
      const apps = Effect.flatMap(OAuthGrants, ({ list }) => list(organizationId))
      expect(await serving.run(apps)).toEqual([])
      expect((await revoke(serving, { client_id: clientId, token: "nothing" })).status).toBe(200)
    }
  })

  it("a disconnected app, and one whose person left, are dead at once", async () => {
    for (const cut of ["disconnect", "leave"] as const) {
      const { clientId, grant, tokens } = await connectClient(serving)
      await serving.run(
        Effect.gen(function* () {
          if (cut === "leave") yield* (yield* OAuthMembers).leave(grant)
          else yield* (yield* OAuthGrants).disconnect(grant)
        })
      )
      expect(await isDead(clientId, tokens)).toBe(true)
    }
  })

  it("who leaves between consent and code gets nothing for it", async () => {
    const { fields, grant } = await authorizeClient(serving)
    await serving.run(Effect.flatMap(OAuthMembers, ({ leave }) => leave(grant)))
    expect(await errorOf(token(serving, fields))).toEqual(invalidGrant)
  })

  it("suspending an organization ends its grants, and lifting it brings none back", async () => {
    const { clientId, grant, tokens } = await connectClient(serving)
    const change = (_tag: "Suspend" | "Unsuspend") =>
      serving.run(
        Effect.flatMap(Organizations, (organizations) =>
          organizations.change({
            organizationId: grant.organizationId,
            change: _tag === "Suspend" ? { _tag, reason: "test" } : { _tag }
          })
        )
      )
    await change("Suspend")
    expect(await holder(serving, tokens.access_token)).toBeUndefined()
    expect(await errorOf(refresh(serving, clientId, tokens.refresh_token))).toEqual(invalidGrant)
    await change("Unsuspend")
    expect(await holder(serving, tokens.access_token)).toBeUndefined()
    expect(await errorOf(refresh(serving, clientId, tokens.refresh_token))).toEqual(invalidGrant)
  })

  it("an exchange that the store could not carry out takes no token from the client", async () => {
    const { clientId, tokens } = await connectClient(serving)
    outage.isOn = true
    const answer = await refresh(serving, clientId, tokens.refresh_token)
    outage.isOn = false
    expect(answer.status).toBe(503)
    expect(await answer.json()).toEqual({
      error: "server_error",
      error_description: "something went wrong, try again"
    })
    expect(serving.log.join()).toContain("OAuthRecordsUnavailable")
    expect((await refresh(serving, clientId, tokens.refresh_token)).status).toBe(200)
  })
})
