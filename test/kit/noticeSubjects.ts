import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import type * as Context from "effect/Context"
import type { KeptNotice } from "../../core/notice/Notice.ts"
import type { KeyHash, KeyId, KeyRecord } from "../../core/key/state.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { PackName } from "../../core/organization/pack.ts"
import type { Role } from "../../core/organization/role.ts"
import type { Person, PersonId } from "../../core/person/Person.ts"
import { Attempts } from "../../core/port/Attempts.ts"
import { Keys } from "../../core/port/Keys.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import type { DueNoticeEmail } from "../../core/port/Notices.ts"
import { Notices } from "../../core/port/Notices.ts"
import { Usage } from "../../core/port/Usage.ts"
import { deliveryPolicy } from "../../core/webhook/delivery.ts"
import type { Endpoint } from "../../core/webhook/Endpoint.ts"
import { chargeOf, newAccount, freshId, isoTime } from "./accounts.ts"
import { beganMs } from "./creditHistory.ts"
import { Staff } from "./notices.ts"
import { answeredWith, newestOf, publishEvent } from "./webhookFixtures.ts"

export { beganMs } from "./creditHistory.ts"
export const dayMs = 86_400_000

/** Somebody nobody else in this run is. */
export const aPerson = (): Person => {
  const personId = randomUUID() as PersonId
  return { personId, email: `${personId}@example.com`, name: "Ada Example" }
}

/** An organization with people in these roles. */
export const organizationWith = Effect.fnUntraced(function* (
  pack: PackName,
  roles: ReadonlyArray<Role> = ["owner"]
) {
  const { join } = yield* Staff
  const { organizationId } = yield* newAccount({ pack })
  const people = roles.map(() => aPerson())
  for (const [index, person] of people.entries()) {
    yield* join(organizationId, { person, role: roles[index] ?? "owner" })
  }
  return { organizationId, people }
})

/** Uses credits in one call, and has usage summed. */
export const useCredits = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  cost: number,
  atMs = beganMs
) {
  yield* (yield* Ledger).charge(chargeOf(organizationId, { cost, atMs }))
  yield* (yield* Usage).gather
})

/** Looks until nothing is left. */
export const observeAll = Effect.fnUntraced(function* (nowMs = beganMs) {
  const { observe } = yield* Notices
  while ((yield* observe(nowMs)) > 0);
})

/** What an organization was told, the oldest first, as somebody sees it who dismissed nothing. */
export const toldTo = Effect.fnUntraced(function* (organizationId: OrganizationId, nowMs = beganMs) {
  const { list } = yield* Notices
  const reader = { organizationId, personId: "nobody" as PersonId, nowMs }
  return (yield* list(reader)).toReversed()
})

export const kindsOf = (notices: ReadonlyArray<KeptNotice>) => notices.map(({ kind }) => kind)

/** Every letter that is due, taken; those of other organizations are put back for the next law. */
export const lettersOf = Effect.fnUntraced(function* (
  organizationId: OrganizationId | null,
  nowMs = beganMs
) {
  const { takeEmails: take } = yield* Notices
  const taken: Array<DueNoticeEmail> = []
  for (;;) {
    const some = yield* take(nowMs)
    if (some.length === 0) break
    taken.push(...some)
  }
  return taken.filter(({ notice }) => notice.organizationId === organizationId)
})

export const keyThat = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  times: { readonly createdMs: number; readonly expiresMs: number | null }
) {
  const key: KeyRecord = {
    keyId: freshId("key_") as KeyId,
    hash: freshId("hash_") as KeyHash,
    organizationId,
    name: "billing",
    mode: "live",
    scopes: ["read"],
    mark: "valid",
    reason: null,
    createdAt: isoTime(times.createdMs),
    expiresAt: times.expiresMs === null ? null : isoTime(times.expiresMs),
    lastUsedAt: null,
    allowedCidrs: [],
    allowedOrigins: [],
    releaseId: null
  }
  yield* (yield* Keys).issue(key)
  return key
})

/** An attempt of a delivery of its own, answered so. */
export const attemptDelivery = Effect.fnUntraced(function* (
  endpoint: Endpoint,
  status: number,
  nowMs: number
) {
  yield* publishEvent(endpoint.organizationId, nowMs)
  const { deliveryId } = yield* newestOf(endpoint)
  return yield* (yield* Attempts).settle({
    deliveryId,
    turn: 1,
    beganMs: nowMs - 40,
    nowMs,
    random: 0.5,
    policy: deliveryPolicy,
    outcome: answeredWith(status)
  })
})

/** Does it at both ends, so often at each, all at once. */
export const everywhere = <A, E, R, R2>(
  effect: Effect.Effect<A, E, R>,
  elsewhere: Context.Context<R2>,
  times = 10
) =>
  Effect.all(
    [
      ...Array.from({ length: times }, () => effect),
      ...Array.from({ length: times }, () => Effect.provide(effect, elsewhere))
    ],
    { concurrency: "unbounded" }
  )
