import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import { letterHeldMs, Letters, lettersMax } from "../../core/port/Letters.ts"
import type { Law } from "./Law.ts"
import type { NoticePorts } from "./notices.ts"
import { NoticesElsewhere, Staffing } from "./notices.ts"
import { beganMs, everywhere, lettersOf, observed, staffed, used } from "./noticeSubjects.ts"

/** What every store of letters keeps (core/port/Letters.ts). */
export const lettersLaws: ReadonlyArray<Law<NoticePorts | Staffing | NoticesElsewhere>> = [
  {
    says: "law 1: a letter that nobody settled is due again when its hand has held it too long",
    check: Effect.gen(function* () {
      const { organizationId } = yield* written(["owner"])
      const [first] = yield* lettersOf(organizationId)
      assert.equal(first?.attempts, 1)
      assert.deepEqual(yield* lettersOf(organizationId, beganMs + letterHeldMs - 1), [])
      const [second] = yield* lettersOf(organizationId, beganMs + letterHeldMs)
      assert.deepEqual([second?.letterId, second?.attempts], [first?.letterId, 2])
    })
  },
  {
    says: "law 1: a hand takes fifty, and many hands at once take each letter once",
    check: Effect.gen(function* () {
      const elsewhere = yield* NoticesElsewhere
      const roles = Array.from({ length: lettersMax + 20 }, () => "owner" as const)
      const { organizationId } = yield* written(roles)
      const { take } = yield* Letters
      assert.equal((yield* take(beganMs)).length, lettersMax)
      const { organizationId: other } = yield* written(roles)
      const taken = (yield* everywhere(lettersOf(other), elsewhere, 4)).flat()
      assert.equal(taken.length, lettersMax + 20)
      assert.equal(new Set(taken.map(({ letterId }) => letterId)).size, lettersMax + 20)
      assert.equal((yield* lettersOf(organizationId, beganMs + letterHeldMs)).length, lettersMax + 20)
    })
  },
  {
    says: "law 2: who no longer administers the organization is not written to any more",
    check: Effect.gen(function* () {
      const { leave } = yield* Staffing
      const { organizationId, people } = yield* written(["owner", "admin"])
      const [owner, admin] = people
      assert.ok(owner !== undefined && admin !== undefined)
      yield* leave(organizationId, admin)
      assert.deepEqual(
        (yield* lettersOf(organizationId)).map(({ to }) => to),
        [owner.email]
      )
      const again = yield* lettersOf(organizationId, beganMs + letterHeldMs)
      assert.deepEqual(
        again.map(({ to }) => to),
        [owner.email]
      )
    })
  },
  {
    says: "law 3: a letter that is settled is gone, or due at its time; a hand that is late changes nothing",
    check: Effect.gen(function* () {
      const { settle } = yield* Letters
      const { organizationId } = yield* written(["owner"])
      const [late] = yield* lettersOf(organizationId)
      assert.ok(late !== undefined)
      const [current] = yield* lettersOf(organizationId, beganMs + letterHeldMs)
      assert.ok(current !== undefined)
      yield* settle({ ...late, againAtMs: null })
      const againAtMs = beganMs + 2 * letterHeldMs
      yield* settle({ ...current, againAtMs })
      assert.deepEqual(yield* lettersOf(organizationId, againAtMs - 1), [])
      const [last] = yield* lettersOf(organizationId, againAtMs)
      assert.equal(last?.attempts, 3)
      yield* settle({ ...last, againAtMs: null })
      assert.deepEqual(yield* lettersOf(organizationId, beganMs + 365 * 86_400_000), [])
    })
  },
  {
    says: "law 4: another process gives the letters of one that is gone",
    check: Effect.gen(function* () {
      const elsewhere = yield* NoticesElsewhere
      const { organizationId, people } = yield* written(["owner"])
      const letters = yield* Effect.provide(lettersOf(organizationId), elsewhere)
      assert.deepEqual(
        letters.map(({ to }) => to),
        people.map(({ email }) => email)
      )
    })
  }
]

/** An organization that has come to a notice, with its letters waiting and nobody else's. */
const written = Effect.fnUntraced(function* (roles: ReadonlyArray<"owner" | "admin">) {
  yield* lettersOf(null)
  const subject = yield* staffed("build", roles)
  yield* used(subject.organizationId, 80_100)
  yield* observed()
  return subject
})
