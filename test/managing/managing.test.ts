import assert from "node:assert/strict"
import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { describe } from "vitest"
import { AuditUnavailable, Audit } from "../../core/port/Audit.ts"
import { withAttemptLimits } from "../../core/admin/withAttemptLimits.ts"
import { createOrganization } from "../../core/admin/organizations.ts"
import { requestReset, signUp } from "../../core/admin/people.ts"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { postgresManaging } from "../kit/managing.ts"
import { somebody } from "../kit/members.ts"
import { device, freshEmail, goodPassword } from "../kit/people.ts"
import { postgresPeople } from "../stores/people.ts"
import { managingLaws } from "./managingLaws.ts"

const live = { excludeTestServices: true }

describe("Managing an organization", () => {
  layer(postgresManaging, live)("in PostgreSQL", (it) => {
    for (const law of managingLaws) it.effect(law.says, () => law.check)

    it.effect("an organization whose log cannot be written is not founded", () =>
      Effect.gen(function* () {
        const person = yield* somebody
        const audit = yield* Audit
        const failing = Audit.of({
          ...audit,
          append: () => Effect.fail(new AuditUnavailable({ fault: "refused" }))
        })
        const founding = createOrganization(person, { name: "Never" })
        const failure = yield* Effect.flip(Effect.provideService(founding, Audit, failing))
        assert.equal(failure._tag, "AuditUnavailable")
        const sql = yield* SqlClient
        const left = yield* sql`select 1 from organization where name = 'Never' union all
          select 1 from membership where person_id = ${person.personId}`
        assert.equal(left.length, 0)
        assert.equal((yield* founding)._tag, "Founded")
      })
    )
  })
})

describe("Attempts of people", () => {
  layer(Layer.mergeAll(postgresPeople, MemoryLimits.layer))("with a clock that a test moves", (it) => {
    it.effect(
      "an e-mail is tried sixty times a minute from wherever, so that one address keeps nobody out",
      () =>
        Effect.gen(function* () {
          const email = freshEmail()
          const trying = (address: string) =>
            withAttemptLimits({ kind: "sign_in", address, email }, Effect.succeed({ _tag: "Wrong" } as const))
          for (let tried = 0; tried < 10; tried++) assert.equal((yield* trying("192.0.2.1"))._tag, "Wrong")
          assert.deepEqual(yield* trying("192.0.2.1"), { _tag: "Limited", retryAfterSeconds: 60 })
          for (let tried = 0; tried < 50; tried++)
            assert.equal((yield* trying(`192.0.2.${10 + tried}`))._tag, "Wrong")
          assert.deepEqual(yield* trying("192.0.2.99"), { _tag: "Limited", retryAfterSeconds: 60 })
          yield* TestClock.adjust("60 seconds")
          assert.equal((yield* trying("192.0.2.99"))._tag, "Wrong")
        })
    )
    it.effect("an e-mail is one however it is written, and whatever the address", () =>
      Effect.gen(function* () {
        const email = freshEmail()
        for (let tried = 0; tried < 5; tried++) {
          const written = tried % 2 === 0 ? email.toUpperCase() : ` ${email}`
          yield* requestReset({ email: written, device: from(`192.0.3.${tried}`) })
        }
        assert.equal((yield* requestReset({ email, device: from("192.0.3.9") }))._tag, "Limited")
      })
    )
    it.effect("an address tries ten times a minute, whatever it names", () =>
      Effect.gen(function* () {
        const trying = () =>
          signUp({
            name: "",
            email: freshEmail(),
            password: goodPassword,
            next: null,
            device: from("192.0.4.1")
          })
        for (let tried = 0; tried < 10; tried++) assert.equal((yield* trying())._tag, "Form")
        assert.equal((yield* trying())._tag, "Limited")
      })
    )
    it.effect("a stranger's mailbox gets at most 20 emails a day", () =>
      Effect.gen(function* () {
        const email = freshEmail()
        const said: Array<string> = []
        for (let tried = 0; tried < 25; tried++) {
          const asking = requestReset({ email, device: from(`192.0.5.${tried}`) })
          said.push((yield* asking)._tag)
          yield* TestClock.adjust("20 seconds")
        }
        assert.equal(said.filter((tag) => tag === "Asked").length, 20)
        assert.equal(said.at(-1), "Limited")
      })
    )
  })
})

const from = (address: string) => ({ ...device, address })
