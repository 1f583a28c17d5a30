import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { packs } from "../../core/organization/pack.ts"
import { Keys } from "../../core/port/Keys.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { Notices } from "../../core/port/Notices.ts"
import { Organizations } from "../../core/port/Organizations.ts"
import { Usage } from "../../core/port/Usage.ts"
import { chargeOf, newAccount } from "./accounts.ts"
import type { Law } from "./Law.ts"
import { accountFacts, tellsOf } from "./noticeFacts.ts"
import type { NoticePorts, Staff } from "./notices.ts"
import { NoticesElsewhere } from "./notices.ts"
import {
  attemptDelivery,
  beganMs,
  dayMs,
  everywhere,
  keyThat,
  kindsOf,
  lettersOf,
  observeAll,
  organizationWith,
  toldTo,
  useCredits
} from "./noticeSubjects.ts"
import { runs } from "./runs.ts"
import { anEndpoint, changeEndpoint, rowless } from "./webhookFixtures.ts"

/** What every store of notices keeps of what happened (core/port/Notices.ts, laws 1 to 3). */
export const noticesLaws: ReadonlyArray<Law<NoticePorts | Staff | NoticesElsewhere>> = [
  {
    says: "law 1: for any calls the notices are the kernel's, whichever process looks, and how often",
    check: Effect.gen(function* () {
      const elsewhere = yield* NoticesElsewhere
      const costs = fc.array(fc.constantFrom(1, 19_999, 20_000, 79_999, 80_000), { maxLength: 6 })
      for (const history of fc.sample(costs, { numRuns: runs(15), seed: 20_261_121 })) {
        const { organizationId } = yield* organizationWith("build")
        let sum = 0
        const looks = []
        for (const [index, cost] of history.entries()) {
          yield* useCredits(organizationId, cost)
          yield* index % 2 === 0 ? observeAll() : Effect.provide(observeAll(), elsewhere)
          sum += cost
          looks.push(after(sum))
        }
        yield* observeAll()
        const emails = yield* lettersOf(organizationId)
        const expected = tellsOf(looks)
        assert.deepEqual(
          emails.map(({ notice: { kind, period, values } }) => ({ kind, period, values })),
          expected
        )
      }
    })
  },
  {
    says: "law 1: every owner and admin is written to, and no member; what was looked at is not looked at again",
    check: Effect.gen(function* () {
      const { observe } = yield* Notices
      const { organizationId, people } = yield* organizationWith("build", [
        "owner",
        "admin",
        "member",
        "owner"
      ])
      yield* useCredits(organizationId, 80_100)
      yield* observeAll()
      assert.equal(yield* observe(beganMs), 0)
      const emails = yield* lettersOf(organizationId)
      const staff = [people[0], people[1], people[3]].map((person) => person?.email)
      assert.deepEqual(emails.map(({ to }) => to).toSorted(), staff.toSorted())
      assert.deepEqual(kindsOf(yield* toldTo(organizationId)), ["credits_80"])
      assert.equal((yield* toldTo(organizationId))[0]?.organizationName, "Example Clinic")
    })
  },
  {
    says: "law 2: however many look at once, each is told once and each email is in one hand",
    check: Effect.gen(function* () {
      const elsewhere = yield* NoticesElsewhere
      const { organizationId } = yield* organizationWith("build", ["owner", "admin"])
      yield* useCredits(organizationId, 100_100)
      yield* everywhere(
        Effect.flatMap(Notices, ({ observe }) => observe(beganMs)),
        elsewhere
      )
      yield* observeAll()
      assert.deepEqual(kindsOf(yield* toldTo(organizationId)), ["credits_100"])
      const taken = yield* everywhere(lettersOf(organizationId), elsewhere)
      assert.equal(taken.flat().length, 2)
    })
  },
  {
    says: "law 2: a month and a purchase begin anew",
    check: Effect.gen(function* () {
      const ledger = yield* Ledger
      const { organizationId } = yield* organizationWith("credits")
      yield* useCredits(organizationId, 80)
      yield* observeAll()
      yield* ledger.grant({ organizationId, amount: 1_000, grantId: organizationId, atMs: beganMs })
      yield* useCredits(organizationId, 1_001)
      yield* observeAll()
      assert.deepEqual(kindsOf(yield* toldTo(organizationId)), ["credits_low", "credits_low"])
      const build = yield* organizationWith("build")
      yield* useCredits(build.organizationId, 80_100)
      yield* observeAll()
      yield* useCredits(build.organizationId, 80_000, beganMs + 31 * dayMs)
      yield* observeAll(beganMs + 31 * dayMs)
      const told = yield* lettersOf(build.organizationId, beganMs + 31 * dayMs)
      assert.deepEqual(
        told.map(({ notice: { kind, period, values } }) => [kind, period, values["used"], values["granted"]]),
        [
          ["credits_80", "2026-12-01", "80,100", "100,000"],
          ["credits_80", "2027-01-01", "80,000", "100,000"]
        ]
      )
    })
  },
  {
    says: "law 2: a refund brings no lower rung after a higher one",
    check: Effect.gen(function* () {
      const ledger = yield* Ledger
      const { organizationId } = yield* organizationWith("build")
      const dear = chargeOf(organizationId, { cost: 25_000 })
      yield* useCredits(organizationId, 85_000)
      yield* ledger.charge(dear)
      yield* (yield* Usage).gather
      yield* observeAll()
      yield* ledger.refund(dear)
      yield* useCredits(organizationId, 1)
      yield* observeAll()
      const emails = yield* lettersOf(organizationId)
      assert.deepEqual(kindsOf(emails.map(({ notice }) => notice)), ["overage_begun"])
    })
  },
  {
    says: "law 1: an endpoint that the system disabled is told with its last status, one paused is not",
    check: Effect.gen(function* () {
      const { organizationId } = yield* organizationWith("scale")
      const gone = yield* anEndpoint(organizationId, { url: "https://hooks.example.com/in?token=1" })
      const paused = yield* anEndpoint(organizationId)
      yield* changeEndpoint(paused, "set_paused")
      yield* attemptDelivery(gone, 500, beganMs)
      yield* attemptDelivery(gone, 410, beganMs + 1_000)
      yield* observeAll(beganMs + 2_000)
      const [told, ...more] = yield* toldTo(organizationId, beganMs + 2_000)
      assert.deepEqual([told?.kind, more], ["endpoint_disabled", []])
      assert.deepEqual(
        [told?.values["endpoint"], told?.values["host"], told?.values["status"], told?.values["why"]],
        [String(gone.endpointId), "hooks.example.com", "410", "its receiver answered 410 Gone"]
      )
      yield* changeEndpoint(gone, "set_active", beganMs + 3_000)
      yield* attemptDelivery(gone, 410, beganMs + 4_000)
      yield* observeAll(beganMs + 5_000)
      assert.equal((yield* toldTo(organizationId, beganMs + 5_000)).length, 2)
    })
  },
  {
    says: "law 1: an endpoint of a test key has nobody to tell",
    check: Effect.gen(function* () {
      const organizationId = rowless()
      const endpoint = yield* anEndpoint(organizationId)
      yield* attemptDelivery(endpoint, 410, beganMs)
      yield* observeAll()
      assert.deepEqual(yield* toldTo(organizationId), [])
    })
  },
  {
    says: "law 1: keys are told of seven days and one day before they expire, and revoked ones are not",
    check: Effect.gen(function* () {
      const { change } = yield* Keys
      const { organizationId } = yield* organizationWith("build")
      const expiresMs = beganMs + 40 * dayMs
      yield* keyThat(organizationId, { createdMs: beganMs, expiresMs: null })
      yield* keyThat(organizationId, { createdMs: expiresMs - 3 * dayMs, expiresMs })
      const revoked = yield* keyThat(organizationId, { createdMs: beganMs, expiresMs })
      yield* change({ keyId: revoked.keyId, action: "revoke", reason: null })
      const key = yield* keyThat(organizationId, { createdMs: beganMs, expiresMs })
      const told: Array<ReadonlyArray<string>> = []
      for (const leftMs of [7 * dayMs + 1, 7 * dayMs, 2 * dayMs, dayMs + 1]) {
        yield* observeAll(expiresMs - leftMs)
        told.push(kindsOf(yield* toldTo(organizationId, expiresMs - leftMs)))
      }
      assert.deepEqual(told, [[], ["key_expires_7d"], ["key_expires_7d"], ["key_expires_7d"]])
      yield* observeAll(expiresMs - dayMs)
      yield* observeAll(expiresMs - 1)
      yield* observeAll(expiresMs)
      const emails = (yield* lettersOf(organizationId, expiresMs)).map(({ notice }) => notice)
      const ofKey = emails.filter(({ values }) => values["key"] === key.keyId)
      assert.deepEqual(kindsOf(ofKey), ["key_expires_7d", "key_expires_1d"])
      assert.equal(emails.length, 3)
    })
  },
  {
    says: "law 3: where nobody belongs to it, the organization's own address is written to, if it has one",
    check: Effect.gen(function* () {
      const organizations = yield* Organizations
      const bare = yield* newAccount({ pack: "build" })
      const organizationId = `${bare.organizationId}x` as OrganizationId
      yield* organizations.create({ ...bare, organizationId, ownerEmail: "owner@example.com" })
      for (const id of [bare.organizationId, organizationId]) yield* useCredits(id, 80_100)
      yield* observeAll()
      assert.deepEqual(yield* lettersOf(bare.organizationId), [])
      assert.deepEqual(kindsOf(yield* toldTo(bare.organizationId)), ["credits_80"])
      yield* useCredits(organizationId, 20_000)
      yield* observeAll()
      const due = yield* lettersOf(organizationId, beganMs + dayMs)
      assert.deepEqual(new Set(due.map(({ to }) => to)), new Set(["owner@example.com"]))
    })
  }
]

/** The kernel's facts of a Build account that was charged so much, starter credits included. */
const after = (used: number) => {
  const allowance = packs.build.monthlyAllowance
  const purchased = Math.max(0, 100 - Math.max(0, used - allowance))
  const overageUsed = Math.max(0, used - allowance - 100)
  return accountFacts({ pack: "build", allowance: Math.max(0, allowance - used), purchased, overageUsed })
}
