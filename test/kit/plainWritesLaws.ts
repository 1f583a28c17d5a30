import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import type { AuditEntry } from "../../core/audit/AuditEntry.ts"
import { Audit } from "../../core/port/Audit.ts"
import { Endpoints } from "../../core/port/Endpoints.ts"
import { Idempotency } from "../../core/port/Idempotency.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import type { Organizations } from "../../core/port/Organizations.ts"
import type { KeptWith } from "../../core/port/PlainWrites.ts"
import { PlainWrites } from "../../core/port/PlainWrites.ts"
import type { Endpoint } from "../../core/webhook/Endpoint.ts"
import type { EndpointPatch, EndpointTrigger } from "../../core/webhook/transitions.ts"
import { amendEndpoint } from "../../core/webhook/transitions.ts"
import { chargeOf, isoTime } from "./accounts.ts"
import { bytes, freshRequest } from "./idempotencyLaws.ts"
import type { Law } from "./Law.ts"
import {
  anEndpoint,
  beganMs,
  changeEndpoint,
  placeOf,
  plain,
  rowless,
  scaleOrganization
} from "./webhookFixtures.ts"

export type Plain = PlainWrites | Endpoints | Ledger | Audit | Idempotency | Organizations

const cost = 3
const allowance = 1_000_000

const states: ReadonlyArray<ReadonlyArray<EndpointTrigger>> = [
  [],
  ["failed"],
  ["set_paused"],
  ["set_paused", "failed"],
  ["gone"],
  ["deleted"]
]

const patches: ReadonlyArray<EndpointPatch> = [undefined, "https://other.example.com/"].flatMap((url) =>
  [undefined, ["compliance.acknowledged", "compliance.acknowledged"] as const].flatMap((events) =>
    ([undefined, "active", "paused"] as const).map((status) => ({
      ...(url === undefined ? {} : { url }),
      ...(events === undefined ? {} : { events }),
      ...(status === undefined ? {} : { status })
    }))
  )
)

/** What every store of plain writes keeps (core/port/PlainWrites.ts). */
export const plainWritesLaws: ReadonlyArray<Law<Plain>> = [
  ...[false, true].map(
    (isKeyed): Law<Plain> => ({
      says: `law 1: ${isKeyed ? "with" : "without"} a key it does what the kernel finds plain, and nothing else`,
      check: Effect.gen(function* () {
        for (const state of states) {
          for (const patch of patches) {
            const { endpoint, amend, left } = yield* subject(state)
            const kept = isKeyed ? keptBy(freshRequest()) : undefined
            const expected = amendEndpoint(endpoint, patch, atMs)
            const came = yield* amend(patch, kept)
            const after = expected && { ...shown(expected) }
            assert.deepEqual(came && shown(came.endpoint), after, JSON.stringify([state, patch]))
            assert.equal(came?.available, expected && allowance + 100 - cost)
            const isChanged = expected !== undefined && expected !== endpoint
            yield* left({
              endpoint: endpoint.status === "deleted" ? undefined : (expected ?? endpoint),
              charged: expected === undefined ? 0 : cost,
              logged: isChanged ? 1 : 0
            })
            if (kept !== undefined) yield* keptAs(kept, expected)
          }
        }
      })
    })
  ),
  {
    says: "law 1: another organization's endpoint, and one that is not there, are left alone",
    check: Effect.gen(function* () {
      const { amend, left, endpoint } = yield* subject([])
      const other = yield* anEndpoint(yield* scaleOrganization)
      assert.equal(yield* amend({ events: ["*"] }, undefined, other.endpointId), undefined)
      assert.equal(yield* amend({ events: ["*"] }, undefined, 999_999_999), undefined)
      yield* left({ endpoint, charged: 0, logged: 0 })
    })
  },
  {
    says: "law 1: what cannot be paid, or has no account, is not written",
    check: Effect.gen(function* () {
      const { amend, left, endpoint } = yield* subject([])
      const patch = { events: ["compliance.acknowledged"] } as const
      assert.equal(yield* amend(patch, undefined, undefined, allowance + 1), undefined)
      yield* left({ endpoint, charged: 0, logged: 0 })
      const nobodys = yield* anEndpoint(rowless())
      const write = writeOf(nobodys, patch, undefined, cost)
      assert.equal(yield* (yield* PlainWrites).amend(write), undefined)
    })
  },
  {
    says: "law 1: a request id that was charged is not charged again",
    check: Effect.gen(function* () {
      const { left, endpoint } = yield* subject([])
      const { amend } = yield* PlainWrites
      const write = writeOf(endpoint, { events: ["compliance.acknowledged"] }, undefined, cost)
      const first = yield* amend(write)
      assert.equal(yield* amend(write), undefined)
      yield* left({ endpoint: first?.endpoint, charged: cost, logged: 1 })
    })
  },
  {
    says: "law 3: of any number at once with one key one is committed",
    check: Effect.gen(function* () {
      const { left, endpoint } = yield* subject([])
      const { amend } = yield* PlainWrites
      const request = freshRequest()
      const patch = { events: ["compliance.acknowledged"] } as const
      const writes = Array.from({ length: 8 }, () => writeOf(endpoint, patch, keptBy(request), cost))
      const came = yield* Effect.forEach(writes, amend, { concurrency: "unbounded" })
      const committed = came.filter((one) => one !== undefined)
      assert.equal(committed.length, 1)
      yield* left({ endpoint: committed[0]?.endpoint, charged: cost, logged: 1 })
    })
  },
  {
    says: "law 2: of many at once over many organizations each is whole, and what is left is told one by one",
    check: Effect.gen(function* () {
      const { amend } = yield* PlainWrites
      const organizations = yield* Effect.forEach(Array.from({ length: 6 }), () => scaleOrganization)
      const endpoints = yield* Effect.forEach(
        organizations.flatMap((organization) => [organization, organization]),
        (organization) => anEndpoint(organization)
      )
      const writes = endpoints.map((endpoint, nth) =>
        writeOf(
          endpoint,
          nth % 3 === 0 ? { status: "paused" } : { url: `https://${nth}.example.com/` },
          undefined,
          cost
        )
      )
      const came = yield* Effect.forEach(writes, amend, { concurrency: "unbounded" })
      for (const organizationId of organizations) {
        const own = came.filter((one) => one?.endpoint.organizationId === organizationId)
        const statement = yield* (yield* Ledger).statement({ organizationId, nowMs: beganMs })
        assert.equal(statement?.charged, own.length * cost)
        const told = own
          .map((one) => allowance + 100 - (one?.available ?? 0))
          .sort((one, other) => one - other)
        assert.deepEqual(
          told,
          own.map((_, nth) => (nth + 1) * cost)
        )
      }
    })
  }
]

const atMs = beganMs + 5_000

const writeOf = (
  endpoint: Endpoint,
  patch: EndpointPatch,
  kept: KeptWith | undefined,
  costing: number,
  endpointId = endpoint.endpointId
) => {
  const { organizationId } = endpoint
  const entry: AuditEntry = {
    organizationId,
    at: isoTime(atMs),
    actor: { kind: "key", id: "key_1", label: "first" },
    action: "webhook.changed",
    subject: String(endpointId),
    detail: null
  }
  const amendment = { place: { organizationId, endpointId }, patch, atMs, entry }
  return { amendment, charge: chargeOf(organizationId, { cost: costing }), kept }
}

const keptBy = (request: ReturnType<typeof freshRequest>): KeptWith => ({
  ...request,
  seal: (endpoint) => bytes(JSON.stringify(shown(endpoint)))
})

const shown = ({ secrets: _, ...endpoint }: Endpoint) => ({ ...endpoint, events: [...endpoint.events] })

/** Its record is completed with the sealed answer, or was never begun. */
const keptAs = Effect.fnUntraced(function* (kept: KeptWith, expected: Endpoint | undefined) {
  const begun = yield* (yield* Idempotency).begin(kept)
  if (expected === undefined) return assert.equal(begun._tag, "Execute")
  assert.deepEqual(begun, { _tag: "Replay", answer: kept.seal(expected) })
})

/** An endpoint of its own organization after these triggers, and what a write left. */
const subject = Effect.fnUntraced(function* (state: ReadonlyArray<EndpointTrigger>) {
  const organizationId = yield* scaleOrganization
  let endpoint = yield* anEndpoint(organizationId)
  for (const trigger of state) endpoint = plain((yield* changeEndpoint(endpoint, trigger)) ?? endpoint)
  const { amend } = yield* PlainWrites
  const { find } = yield* Endpoints
  return {
    endpoint,
    amend: (patch: EndpointPatch, kept: KeptWith | undefined, endpointId?: number, costing = cost) =>
      amend(writeOf(endpoint, patch, kept, costing, endpointId)),
    left: Effect.fnUntraced(function* (seen: {
      readonly endpoint: Endpoint | undefined
      readonly charged: number
      readonly logged: number
    }) {
      const found = yield* find(placeOf(endpoint))
      assert.deepEqual(found && shown(found), seen.endpoint && shown(seen.endpoint))
      if (found !== undefined) assert.deepEqual(plain(found).secrets, endpoint.secrets)
      const statement = yield* (yield* Ledger).statement({ organizationId, nowMs: beganMs })
      assert.equal(statement?.charged, seen.charged)
      const { entries } = yield* (yield* Audit).list({ organizationId, before: null, limit: 10 })
      assert.equal(entries.length, seen.logged)
    })
  }
})

/** What they keep while their store is unavailable. */
export const absentPlainWritesLaws: ReadonlyArray<Law<PlainWrites>> = [
  {
    says: "law 5: nothing is written, and the transaction that follows says why",
    check: Effect.gen(function* () {
      const organizationId = rowless()
      const endpoint = { organizationId, endpointId: 1 } as Endpoint
      const write = writeOf(endpoint, { events: ["*"] }, undefined, cost)
      assert.equal(yield* (yield* PlainWrites).amend(write), undefined)
    })
  }
]
