import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { PersonId } from "../../core/person/Person.ts"
import { Notices, noticesKeptMs, shownMax, shownMs } from "../../core/port/Notices.ts"
import type { Law } from "./Law.ts"
import type { NoticePorts, Staff } from "./notices.ts"
import { NoticesElsewhere } from "./notices.ts"
import {
  aPerson,
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

/** What every store of notices keeps for those who read them (core/port/Notices.ts, laws 4 to 7). */
export const noticeReadersLaws: ReadonlyArray<Law<NoticePorts | Staff | NoticesElsewhere>> = [
  {
    says: "law 4: the first device is not told, another is, once for 30 days, however many come at once",
    check: Effect.gen(function* () {
      const { signedIn, list } = yield* Notices
      const elsewhere = yield* NoticesElsewhere
      const person = aPerson()
      const from = (device: string, nowMs: number) =>
        Effect.flatMap(Notices, (notices) =>
          notices.signedIn({ person, device, address: "203.0.113.7", agent: "Browser", nowMs })
        )
      assert.equal(yield* from("one", beganMs), "first")
      assert.equal(yield* from("one", beganMs), "known")
      const said = yield* everywhere(from("two", beganMs), elsewhere)
      assert.deepEqual(said.toSorted(), [...Array.from({ length: 19 }, () => "known"), "new"].toSorted())
      assert.equal(yield* from("one", beganMs + 29 * dayMs), "known")
      assert.equal(yield* from("two", beganMs + 30 * dayMs), "new")
      const other = { ...aPerson(), email: "other@example.com" }
      const seen = { person: other, device: "two", address: "203.0.113.7", agent: null, nowMs: beganMs }
      assert.equal(yield* signedIn(seen), "first")
      const emails = yield* lettersOf(null, beganMs + 30 * dayMs)
      const own = emails.filter(({ to }) => to === person.email)
      assert.deepEqual(
        own.map(({ notice }) => notice.kind),
        ["new_sign_in", "new_sign_in"]
      )
      const reader = { organizationId: "org_none" as OrganizationId, nowMs: beganMs }
      assert.equal((yield* list({ ...reader, personId: person.personId })).length, 2)
      assert.deepEqual(yield* list({ ...reader, personId: other.personId }), [])
    })
  },
  {
    says: "law 5: a reader sees their organization's, newest first, one of a ladder, at most twenty, a month",
    check: Effect.gen(function* () {
      const { list } = yield* Notices
      const [one, other] = [yield* organizationWith("build"), yield* organizationWith("build")]
      const personId = one.people[0]?.personId ?? ("" as PersonId)
      yield* useCredits(one.organizationId, 80_100)
      yield* observeAll()
      yield* useCredits(one.organizationId, 20_000)
      yield* observeAll()
      for (let key = 0; key < shownMax; key++) {
        yield* keyThat(one.organizationId, { createdMs: beganMs, expiresMs: beganMs + 7 * dayMs + key })
      }
      const reader = { organizationId: one.organizationId, personId, nowMs: beganMs + 1_000 }
      assert.deepEqual(kindsOf(yield* list(reader)), ["credits_100"])
      yield* observeAll(beganMs + 1_000)
      const shown = yield* list(reader)
      assert.equal(shown.length, shownMax)
      assert.deepEqual(new Set(kindsOf(shown)), new Set(["key_expires_7d"]))
      const ids = shown.map(({ noticeId }) => noticeId)
      assert.deepEqual(
        ids,
        ids.toSorted((left, right) => right - left)
      )
      assert.deepEqual(yield* list({ ...reader, organizationId: other.organizationId }), [])
      assert.deepEqual(yield* list({ ...reader, nowMs: beganMs + 1_000 + shownMs }), [])
    })
  },
  {
    says: "law 6: who dismisses one hides it from themselves, its lower rungs with it, and nobody else can",
    check: Effect.gen(function* () {
      const { list, dismiss } = yield* Notices
      const { organizationId, people } = yield* organizationWith("build", ["owner", "admin"])
      const [one, two] = people.map(({ personId }) => ({ organizationId, personId, nowMs: beganMs }))
      assert.ok(one !== undefined && two !== undefined)
      yield* useCredits(organizationId, 80_100)
      yield* observeAll()
      yield* useCredits(organizationId, 20_000)
      yield* observeAll()
      const [notice] = yield* list(one)
      assert.equal(notice?.kind, "credits_100")
      const { noticeId } = notice
      const stranger = {
        noticeId,
        organizationId: "org_none" as OrganizationId,
        personId: aPerson().personId
      }
      assert.equal(yield* dismiss(stranger), false)
      assert.equal(yield* dismiss({ ...stranger, noticeId: 0, organizationId }), false)
      assert.equal(yield* dismiss({ ...one, noticeId }), true)
      assert.equal(yield* dismiss({ ...one, noticeId }), true)
      assert.deepEqual([yield* list(one), kindsOf(yield* list(two))], [[], ["credits_100"]])
    })
  },
  {
    says: "law 7: what was told is forgotten after 400 days, and not while an email waits",
    check: Effect.gen(function* () {
      const { forget } = yield* Notices
      const { settleEmail: settle } = yield* Notices
      const { organizationId } = yield* organizationWith("build")
      yield* useCredits(organizationId, 80_100)
      yield* observeAll()
      while ((yield* forget(beganMs + noticesKeptMs + 1)) > 0);
      assert.deepEqual(kindsOf(yield* toldTo(organizationId)), ["credits_80"])
      for (const email of yield* lettersOf(organizationId)) yield* settle({ ...email, againAtMs: null })
      assert.equal(yield* forget(beganMs + noticesKeptMs), 0)
      assert.ok((yield* forget(beganMs + noticesKeptMs + 1)) >= 1)
      assert.deepEqual(yield* toldTo(organizationId), [])
    })
  }
]

/** What is kept while the store is unavailable. */
export const absentNoticesLaws: ReadonlyArray<Law<NoticePorts>> = [
  {
    says: "law 12: every verb fails as unreachable",
    check: Effect.gen(function* () {
      const notices = yield* Notices
      const emails = yield* Notices
      const person = aPerson()
      const reader = { organizationId: "org_none" as OrganizationId, personId: person.personId, nowMs: 0 }
      const verbs: ReadonlyArray<Effect.Effect<unknown, { readonly fault: string }>> = [
        notices.observe(0),
        notices.signedIn({ person, device: "d", address: "203.0.113.7", agent: null, nowMs: 0 }),
        notices.list(reader),
        notices.dismiss({ ...reader, noticeId: 1 }),
        notices.forget(0),
        emails.takeEmails(0),
        emails.settleEmail({ emailId: 1, attempts: 1, againAtMs: null })
      ]
      for (const verb of verbs) assert.equal((yield* Effect.flip(verb)).fault, "unreachable")
    })
  }
]
