import assert from "node:assert/strict"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { AuditActor, AuditEntry } from "../../core/audit/AuditEntry.ts"
import { auditActions } from "../../core/audit/AuditEntry.ts"
import type { IsoTime } from "../../core/coverage/date.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { Audit } from "../../core/port/Audit.ts"
import type { Transactions } from "../../core/port/Transactions.ts"
import type { Law } from "./Law.ts"
import { inWrite, rowless } from "./webhookFixtures.ts"

/** The log, and the writes that it joins. */
export type Audits = Audit | Transactions

/** The same store through another process's connections. */
export class AuditsElsewhere extends Context.Service<AuditsElsewhere, Context.Context<Audits>>()(
  "test/AuditsElsewhere"
) {}

const at = "2026-11-21T10:00:00.000Z" as IsoTime
const before = "2026-11-20T09:59:59.999Z" as IsoTime

const actors: ReadonlyArray<AuditActor> = [
  { kind: "person", id: "person_1", label: "ada@example.com" },
  { kind: "key", id: "key_1", label: "nightly import" },
  { kind: "operator" },
  { kind: "service" }
]

/** What every audit log keeps (core/port/Audit.ts). */
export const auditLaws: ReadonlyArray<Law<Audits | AuditsElsewhere>> = [
  {
    says: "law 1: the list is what was appended, newest first, whoever did it and whatever it was",
    check: Effect.gen(function* () {
      const organizationId = rowless()
      const entries = auditActions.flatMap((action, index): ReadonlyArray<AuditEntry> => {
        const actor = actors[index % actors.length] ?? { kind: "service" }
        const detail = index % 3 === 0 ? null : `what ${action} 'changed'`
        // The order is that of appending, not of the times.
        return [{ organizationId, at: index % 2 === 0 ? at : before, actor, action, subject: action, detail }]
      })
      yield* appended(entries)
      assert.deepEqual(yield* all(organizationId), { entries: entries.toReversed(), next: null })
    })
  },
  {
    says: "law 1: pages of every size give each entry once, the last one without a next",
    check: Effect.gen(function* () {
      const organizationId = rowless()
      const entries = subjects(6).map((subject) => entryOf(organizationId, subject))
      yield* appended(entries)
      for (const limit of [1, 2, 3, 5, 6, 7]) {
        const pages = yield* paged(organizationId, limit)
        assert.deepEqual(pages.flat(), entries.toReversed())
        assert.equal(pages.length, Math.ceil(entries.length / limit))
      }
    })
  },
  {
    says: "law 1: what is appended between two pages moves none of them",
    check: Effect.gen(function* () {
      const organizationId = rowless()
      const { list } = yield* Audit
      yield* appended(subjects(4).map((subject) => entryOf(organizationId, subject)))
      const first = yield* list({ organizationId, before: null, limit: 2 })
      yield* appended([entryOf(organizationId, "late")])
      const second = yield* list({ organizationId, before: first.next, limit: 2 })
      const seen = [...first.entries, ...second.entries].map(({ subject }) => subject)
      assert.deepEqual([seen, second.next], [subjects(4).toReversed(), null])
    })
  },
  {
    says: "law 3: an entry of a write that is undone was never there, one of a write that is kept is",
    check: Effect.gen(function* () {
      const organizationId = rowless()
      const { append } = yield* Audit
      yield* inWrite(append(entryOf(organizationId, "undone")), "Undo")
      yield* inWrite(append(entryOf(organizationId, "kept")))
      const { entries } = yield* all(organizationId)
      assert.deepEqual(
        entries.map(({ subject }) => subject),
        ["kept"]
      )
    })
  },
  {
    says: "law 4: an organization sees nothing of another's, nor by its place in the list",
    check: Effect.gen(function* () {
      const [one, other] = [rowless(), rowless()]
      const { list } = yield* Audit
      yield* appended([entryOf(one, "a"), entryOf(other, "b"), entryOf(one, "c"), entryOf(other, "d")])
      const { entries, next } = yield* list({ organizationId: one, before: null, limit: 1 })
      assert.deepEqual(entries, [entryOf(one, "c")])
      const theirs = yield* list({ organizationId: other, before: next, limit: 10 })
      assert.deepEqual(theirs.entries, [entryOf(other, "b")])
    })
  },
  {
    says: "an entry that was answered for is seen from another connection",
    check: Effect.gen(function* () {
      const elsewhere = yield* AuditsElsewhere
      const organizationId = rowless()
      yield* appended([entryOf(organizationId, "here")])
      yield* Effect.provide(appended([entryOf(organizationId, "there")]), elsewhere)
      const expected = [entryOf(organizationId, "there"), entryOf(organizationId, "here")]
      assert.deepEqual((yield* all(organizationId)).entries, expected)
      assert.deepEqual((yield* Effect.provide(all(organizationId), elsewhere)).entries, expected)
    })
  },
  {
    says: "of two hundred appended at once by two processes none is lost",
    check: Effect.gen(function* () {
      const elsewhere = yield* AuditsElsewhere
      const organizationId = rowless()
      const names = subjects(200)
      yield* Effect.forEach(
        names,
        (subject, index) => {
          const one = appended([entryOf(organizationId, subject)])
          return index % 2 === 0 ? one : Effect.provide(one, elsewhere)
        },
        { concurrency: 10 }
      )
      const pages = yield* paged(organizationId, 33)
      const found = pages.flat().map(({ subject }) => subject)
      assert.deepEqual(found.toSorted(), names.toSorted())
    })
  }
]

/** What is kept while the store is unavailable. */
export const absentAuditLaws: ReadonlyArray<Law<Audit>> = [
  {
    says: "law 5: both verbs fail as unreachable",
    check: Effect.gen(function* () {
      const { append, list } = yield* Audit
      const organizationId = rowless()
      const verbs: ReadonlyArray<Effect.Effect<unknown, { readonly fault: string }>> = [
        append(entryOf(organizationId, "a")),
        list({ organizationId, before: null, limit: 1 })
      ]
      for (const verb of verbs) assert.equal((yield* Effect.flip(verb)).fault, "unreachable")
    })
  }
]

const entryOf = (organizationId: OrganizationId, subject: string): AuditEntry => ({
  organizationId,
  at,
  actor: { kind: "person", id: "person_1", label: "ada@example.com" },
  action: "key.created",
  subject,
  detail: null
})

const subjects = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => `key_${String(index).padStart(3, "0")}`)

const appended = (entries: ReadonlyArray<AuditEntry>) =>
  Effect.flatMap(Audit, ({ append }) => Effect.forEach(entries, append, { discard: true }))

const all = (organizationId: OrganizationId) =>
  Effect.flatMap(Audit, ({ list }) => list({ organizationId, before: null, limit: 1_000 }))

const paged = Effect.fnUntraced(function* (organizationId: OrganizationId, limit: number) {
  const { list } = yield* Audit
  const pages: Array<ReadonlyArray<AuditEntry>> = []
  let before: number | null = null
  for (;;) {
    const page: Effect.Success<ReturnType<typeof list>> = yield* list({ organizationId, before, limit })
    pages.push(page.entries)
    if (page.next === null) return pages
    before = page.next
  }
})
