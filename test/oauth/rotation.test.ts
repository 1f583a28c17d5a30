import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { openSuccessor, sealSuccessor } from "../../adapters/oauth/successor.ts"
import { OAuthGrants } from "../../core/port/OAuthGrants.ts"
import { OAuthRecords } from "../../core/port/OAuthRecords.ts"
import { clientIdOf, connectClient, errorOf, holder, refresh, register, token } from "./client.ts"
import type { Tokens } from "./client.ts"
import type { OAuthSite } from "./serving.ts"
import { serve } from "./serving.ts"

const invalidGrant = { status: 400, error: "invalid_grant" }

describe("contract §3: a refresh token presented again within 60 s of its rotation", () => {
  let site: OAuthSite
  let other: OAuthSite
  beforeAll(async () => {
    site = await serve()
    // A second process over the same database: it shares no memory with the first.
    other = await serve(site)
  })
  afterAll(async () => {
    await other.close()
    await site.close()
  })
  afterEach(() => void vi.useRealTimers())

  const refreshed = async (clientId: string, refreshToken: string, at = site): Promise<Tokens> => {
    const answer = await refresh(at, clientId, refreshToken)
    const body = (await answer.json()) as Tokens
    expect([answer.status, body]).toEqual([200, expect.objectContaining({ scope: "service:mcp read" })])
    return body
  }
  const isLive = async (tokens: Tokens) => (await holder(site, tokens.access_token)) !== undefined

  it.each([2, 5])(
    "%i parallel refreshes all get the same refresh token and live access tokens",
    async (n) => {
      for (let round = 0; round < 5; round++) {
        const { clientId, tokens } = await connectClient(site)
        const answers = await Promise.all(
          Array.from({ length: n }, (_, index) =>
            refreshed(clientId, tokens.refresh_token, index % 2 === 0 ? site : other)
          )
        )
        const successors = new Set(answers.map((one) => one.refresh_token))
        expect(successors.size).toBe(1)
        expect(successors.has(tokens.refresh_token)).toBe(false)
        expect(new Set(answers.map((one) => one.access_token)).size).toBe(n)
        for (const one of answers) expect(await isLive(one)).toBe(true)
        expect(await isLive(await refreshed(clientId, answers[0]?.refresh_token ?? ""))).toBe(true)
      }
    }
  )

  it("returns the newest token of the chain, however often it was rotated since", async () => {
    const { clientId, tokens } = await connectClient(site)
    const chain = [tokens.refresh_token]
    for (let hop = 0; hop < 4; hop++)
      chain.push((await refreshed(clientId, chain.at(-1) ?? "", hop % 2 === 0 ? other : site)).refresh_token)
    const newest = chain.at(-1)
    for (const rotated of chain.slice(0, -1)) {
      const again = await refreshed(clientId, rotated)
      expect(again.refresh_token).toBe(newest)
      expect(await isLive(again)).toBe(true)
    }
    await refreshed(clientId, newest ?? "")
  })

  it("old and new tokens refreshed at once leave one newest token", async () => {
    for (let round = 0; round < 5; round++) {
      const { clientId, tokens } = await connectClient(site)
      const next = await refreshed(clientId, tokens.refresh_token)
      const presented = [tokens, next, tokens, next, tokens].map((one) => one.refresh_token)
      const answers = await Promise.all(
        presented.map((one, index) => refreshed(clientId, one, index % 2 === 0 ? site : other))
      )
      const newest = await refreshed(clientId, tokens.refresh_token)
      for (const { refresh_token: one } of answers)
        if (one !== newest.refresh_token) {
          expect(one).toBe(next.refresh_token)
          expect((await refreshed(clientId, one)).refresh_token).toBe(newest.refresh_token)
        }
    }
  })

  it("is accepted at 60 s and ends the grant at 61 s", async () => {
    const beganMs = Math.floor(Date.now() / 1_000) * 1_000
    vi.useFakeTimers({ toFake: ["Date"], now: beganMs })
    const { clientId, grant, tokens } = await connectClient(site)
    const next = await refreshed(clientId, tokens.refresh_token)
    vi.setSystemTime(beganMs + 60_000)
    const again = await refreshed(clientId, tokens.refresh_token)
    expect(again.refresh_token).toBe(next.refresh_token)
    vi.setSystemTime(beganMs + 61_000)
    expect(await errorOf(refresh(site, clientId, tokens.refresh_token))).toEqual(invalidGrant)
    for (const one of [tokens, next, again]) expect(await isLive(one)).toBe(false)
    expect(await errorOf(refresh(site, clientId, next.refresh_token))).toEqual(invalidGrant)
    expect(await site.run(Effect.flatMap(OAuthGrants, ({ find }) => find(grant.grantId)))).toBeUndefined()
  })

  it("counts the window from the rotation of the token presented, not of its successors", async () => {
    const beganMs = Math.floor(Date.now() / 1_000) * 1_000
    vi.useFakeTimers({ toFake: ["Date"], now: beganMs })
    const { clientId, tokens } = await connectClient(site)
    const next = await refreshed(clientId, tokens.refresh_token)
    vi.setSystemTime(beganMs + 50_000)
    const newest = await refreshed(clientId, next.refresh_token)
    vi.setSystemTime(beganMs + 61_000)
    expect((await refreshed(clientId, next.refresh_token)).refresh_token).toBe(newest.refresh_token)
    expect(await errorOf(refresh(site, clientId, tokens.refresh_token))).toEqual(invalidGrant)
    expect(await isLive(newest)).toBe(false)
  })

  it("is rejected for another client, and the grant goes on", async () => {
    const { clientId, tokens } = await connectClient(site)
    const next = await refreshed(clientId, tokens.refresh_token)
    const stranger = await clientIdOf(register(site))
    expect(await errorOf(refresh(site, stranger, tokens.refresh_token))).toEqual(invalidGrant)
    expect((await refreshed(clientId, tokens.refresh_token)).refresh_token).toBe(next.refresh_token)
  })

  it("gets nothing after the grant was revoked", async () => {
    const { clientId, grant, tokens } = await connectClient(site)
    await refreshed(clientId, tokens.refresh_token)
    await site.run(Effect.flatMap(OAuthGrants, ({ end }) => end(grant.grantId)))
    expect(await errorOf(refresh(site, clientId, tokens.refresh_token))).toEqual(invalidGrant)
  })

  it("the successor is stored sealed, for 60 s, and opens only with its predecessor", async () => {
    const { clientId, tokens } = await connectClient(site)
    const beganMs = Date.now()
    const next = await refreshed(clientId, tokens.refresh_token)
    const hash = createHash("sha256").update(tokens.refresh_token).digest("hex")
    const record = await site.run(
      Effect.flatMap(OAuthRecords, ({ find }) => find({ model: "RefreshSuccessor", hash }))
    )
    if (record === undefined) throw new Error("no successor is stored")
    expect(Buffer.from(record.sealed).toString("latin1")).not.toContain(next.refresh_token)
    expect(record.expiresAtMs).toBeGreaterThanOrEqual(beganMs + 60_000)
    expect(record.expiresAtMs).toBeLessThanOrEqual(Date.now() + 60_000)
    const opened = (predecessor: string) => openSuccessor({ predecessor, sealed: record.sealed })
    expect(opened(tokens.refresh_token)).toBe(next.refresh_token)
    expect(opened(next.refresh_token)).toBeUndefined()
    const sealed = sealSuccessor({ predecessor: "one", successor: "two" })
    expect(openSuccessor({ predecessor: "one", sealed: sealed.fill(0, sealed.length - 1) })).toBeUndefined()
    expect(openSuccessor({ predecessor: "one", sealed: new Uint8Array(3) })).toBeUndefined()
  })

  it("scopes that were dropped at authorization are dropped at refresh", async () => {
    const { clientId, tokens } = await connectClient(site)
    for (const scope of ["openid profile offline_access service:mcp read", "read", "write admin", ""]) {
      const answer = await token(site, {
        grant_type: "refresh_token",
        client_id: clientId,
        refresh_token: tokens.refresh_token,
        scope
      })
      expect([scope, answer.status, (await answer.json()) as Tokens]).toEqual([
        scope,
        200,
        expect.objectContaining({ scope: "service:mcp read" })
      ])
    }
  })
})
