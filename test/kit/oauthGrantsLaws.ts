import assert from "node:assert/strict"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { OAuthGrant } from "../../core/oauth/OAuthGrant.ts"
import type { TokenHash } from "../../core/oauth/TokenHolder.ts"
import { oauthScopes } from "../../core/oauth/TokenHolder.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { AccessTokens } from "../../core/port/AccessTokens.ts"
import { OAuthGrants } from "../../core/port/OAuthGrants.ts"
import { OAuthClients } from "../../core/port/OAuthClients.ts"
import { OAuthRecords } from "../../core/port/OAuthRecords.ts"
import { Organizations } from "../../core/port/Organizations.ts"
import { freshId, isoTime } from "./accounts.ts"
import type { Law } from "./Law.ts"
import { OAuthMembers, newMember, grantOf, openGrant, recordOf, somebody } from "./oauths.ts"

type Ports =
  | OAuthGrants
  | OAuthRecords
  | OAuthClients
  | AccessTokens
  | OAuthGrants
  | Organizations
  | OAuthMembers

/** What every store of consents, access tokens and clients keeps: their ports' laws. */
export const oauthGrantsLaws: ReadonlyArray<Law<Ports>> = [
  {
    says: "OAuthGrants 1 and 2: only a member opens a grant, and it is found as it was opened",
    check: Effect.gen(function* () {
      const grants = yield* OAuthGrants
      const { grant } = yield* openGrant()
      assert.deepEqual(yield* grants.find(grant.grantId), { ...grant, organizationSuspended: false })
      const { organizationId } = yield* newMember
      const stranger = grantOf({ organizationId, personId: somebody().personId }, 0)
      assert.equal(yield* grants.open(stranger), "not_member")
      assert.equal(yield* grants.find(stranger.grantId), undefined)
    })
  },
  {
    says: "OAuthGrants 3: who ends a grant is told what it was, once",
    check: Effect.gen(function* () {
      const grants = yield* OAuthGrants
      const { grant } = yield* openGrant()
      assert.deepEqual(yield* grants.end(grant.grantId), grant)
      assert.equal(yield* grants.end(grant.grantId), undefined)
      assert.equal(yield* grants.find(grant.grantId), undefined)
    })
  },
  {
    says: "AccessTokens 1: a token is found from its issue until it expires, with what a call must know",
    check: Effect.gen(function* () {
      const { grant, token } = yield* issued()
      assert.deepEqual(yield* (yield* AccessTokens).find(token.hash as TokenHash), {
        grantId: grant.grantId,
        clientId: grant.clientId,
        personId: grant.personId,
        organizationId: grant.organizationId,
        scopes: oauthScopes,
        expiresAt: isoTime(token.expiresAtMs),
        pack: "build",
        organizationSuspended: false,
        concurrentMax: null
      })
      assert.equal(yield* found(freshId("hash_")), undefined)
      const nowMs = yield* Clock.currentTimeMillis
      const { token: old } = yield* issued({ expiresAtMs: nowMs - 1 })
      assert.equal(yield* found(old.hash), undefined)
      const refresh = recordOf(grant)
      yield* (yield* OAuthRecords).save(refresh)
      assert.equal(yield* found(refresh.hash), undefined)
    })
  },
  {
    says: "AccessTokens 1: a token is refused from the end of its grant, although it has not expired",
    check: Effect.gen(function* () {
      const nowMs = yield* Clock.currentTimeMillis
      const expiresAtMs = nowMs + 3_600_000
      const { token: ended } = yield* issued({ expiresAtMs }, { endsAtMs: nowMs - 1 })
      assert.equal(yield* found(ended.hash), undefined)
      const { token: open } = yield* issued({ expiresAtMs }, { endsAtMs: nowMs + 60_000 })
      assert.notEqual(yield* found(open.hash), undefined)
    })
  },
  {
    says: "AccessTokens 1: a token is gone at once with its record, its grant, or its person's membership",
    check: Effect.gen(function* () {
      const records = yield* OAuthRecords
      const grants = yield* OAuthGrants
      const { leave } = yield* OAuthMembers
      for (const cut of [
        (one: Issued) => records.remove(one.token),
        (one: Issued) => Effect.asVoid(grants.end(one.grant.grantId)),
        (one: Issued) => leave(one.grant),
        (one: Issued) => Effect.asVoid(Effect.flatMap(OAuthGrants, (apps) => apps.disconnect(one.grant)))
      ]) {
        const one = yield* issued()
        assert.notEqual(yield* found(one.token.hash), undefined)
        yield* cut(one)
        assert.equal(yield* found(one.token.hash), undefined)
      }
    })
  },
  {
    says: "AccessTokens 1: suspending an organization ends its grants and their tokens for good",
    check: Effect.gen(function* () {
      const { grant, token } = yield* issued()
      const { organizationId } = grant
      yield* (yield* Organizations).change({ organizationId, change: { _tag: "Suspend", reason: null } })
      assert.equal(yield* found(token.hash), undefined)
      assert.equal(yield* (yield* OAuthGrants).find(grant.grantId), undefined)
      yield* (yield* Organizations).change({ organizationId, change: { _tag: "Unsuspend" } })
      assert.equal(yield* found(token.hash), undefined)
    })
  },
  {
    says: "OAuthGrants 5: the grants of an organization that run are listed, the newest first",
    check: Effect.gen(function* () {
      const apps = yield* OAuthGrants
      const grants = yield* OAuthGrants
      const nowMs = yield* Clock.currentTimeMillis
      const { organizationId, person } = yield* newMember
      yield* openGrant()
      assert.deepEqual(yield* apps.list(organizationId), [])
      const account = { organizationId, personId: person.personId }
      const [old, gone, first, second] = [
        grantOf(account, nowMs - 5_000, { endsAtMs: nowMs - 1 }),
        grantOf(account, nowMs - 3_000),
        grantOf(account, nowMs - 2_000, { clientName: "<b>An app</b>" }),
        grantOf(account, nowMs - 1_000)
      ]
      for (const grant of [old, gone, first, second]) yield* grants.open(grant)
      yield* grants.end(gone.grantId)
      assert.deepEqual(
        yield* apps.list(organizationId),
        [second, first].map((grant) => ({
          grantId: grant.grantId,
          clientId: grant.clientId,
          clientName: grant.clientName,
          person,
          connectedAt: isoTime(grant.connectedAtMs),
          lastUsedAt: null,
          endsAt: isoTime(grant.endsAtMs)
        }))
      )
    })
  },
  {
    says: "OAuthGrants 6: only an organization's own grant is disconnected, once",
    check: Effect.gen(function* () {
      const { disconnect } = yield* OAuthGrants
      const { grant } = yield* openGrant()
      const { grantId, organizationId } = grant
      const elsewhere = freshId("org_") as OrganizationId
      assert.equal(yield* disconnect({ grantId, organizationId: elsewhere }), false)
      assert.equal(yield* disconnect({ grantId, organizationId }), true)
      assert.equal(yield* disconnect({ grantId, organizationId }), false)
    })
  },
  {
    says: "OAuthClients 1 and 2: a client is found as it registered, and forgotten if nobody consented to it",
    check: Effect.gen(function* () {
      const clients = yield* OAuthClients
      const [unused, used, young] = [1_000, 1_000, 2_000].map((registeredAtMs) => ({
        clientId: freshId("client_"),
        metadata: '{"client_name":"é"}',
        registeredAtMs
      }))
      assert.ok(unused !== undefined && used !== undefined && young !== undefined)
      for (const client of [unused, used, young]) yield* clients.register(client)
      assert.deepEqual(yield* clients.find(unused.clientId), unused)
      assert.equal(yield* clients.find("nobody\0"), undefined)
      yield* openGrant({ clientId: used.clientId })
      assert.equal(yield* clients.forget(1_999), 1)
      assert.equal(yield* clients.find(unused.clientId), undefined)
      assert.deepEqual(yield* clients.find(used.clientId), used)
      assert.deepEqual(yield* clients.find(young.clientId), young)
    })
  }
]

type Issued = Effect.Success<ReturnType<typeof issued>>

/** An access token of a new grant. */
const issued = Effect.fnUntraced(function* (
  given: { readonly expiresAtMs?: number } = {},
  ofGrant: Partial<OAuthGrant> = {}
) {
  const { grant } = yield* openGrant(ofGrant)
  const token = recordOf(grant, { model: "AccessToken", ...given })
  yield* (yield* OAuthRecords).save(token)
  return { grant, token }
})

const found = (hash: string) => Effect.flatMap(AccessTokens, (tokens) => tokens.find(hash as TokenHash))
