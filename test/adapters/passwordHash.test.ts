import assert from "node:assert/strict"
import { hashPassword as hashOfLibrary } from "better-auth/crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { describe, it } from "vitest"
import { hashPassword, isOutdatedHash, verifyPassword } from "../../adapters/identity/passwordHash.ts"
import { freshEmail, goodPassword, signIn, signUpPerson } from "../kit/people.ts"
import { freshDatabase } from "../kit/postgres.ts"
import { peopleAt } from "../stores/people.ts"

describe("password hashes", () => {
  it("have OWASP's parameters of scrypt, a salt of their own, and verify only the password", async () => {
    const [one, two] = [await hashPassword(goodPassword), await hashPassword(goodPassword)]
    assert.match(one, /^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{86}$/)
    assert.notEqual(one, two)
    assert.equal(await verifyPassword({ hash: one, password: goodPassword }), true)
    assert.equal(await verifyPassword({ hash: one, password: `${goodPassword} ` }), false)
    assert.equal(await verifyPassword({ hash: one.slice(0, -1), password: goodPassword }), false)
    assert.equal(isOutdatedHash(one), false)
  })

  it("of the auth library verify, and take as long as current ones", async () => {
    const [older, current] = [await hashOfLibrary(goodPassword), await hashPassword(goodPassword)]
    assert.equal(await verifyPassword({ hash: older, password: goodPassword }), true)
    assert.equal(await verifyPassword({ hash: older, password: "not the right one" }), false)
    assert.equal(isOutdatedHash(older), true)
    const [slow, fast] = [await fastestMs(older), await fastestMs(current)]
    assert.ok(slow / fast > 0.6 && slow / fast < 1.7, `${slow} ms and ${fast} ms`)
  })

  it("People, law 7: are replaced at the next sign-in with the right password, and only then", () =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const email = freshEmail()
          yield* signUpPerson(email)
          const older = yield* Effect.promise(() => hashOfLibrary(goodPassword))
          yield* sql`update auth.account set password = ${older}`
          const stored = Effect.map(
            sql<{ readonly password: string }>`select password from auth.account`,
            ([row]) => row?.password ?? ""
          )
          assert.equal((yield* signIn({ email, password: "not the right one" }))._tag, "Wrong")
          assert.equal(yield* stored, older)
          assert.equal((yield* signIn({ email }))._tag, "SignedIn")
          const renewed = yield* stored
          assert.equal(isOutdatedHash(renewed), false)
          assert.equal((yield* signIn({ email }))._tag, "SignedIn")
          assert.equal(yield* stored, renewed)
        }).pipe(
          Effect.provide(
            Layer.fresh(Layer.unwrap(Effect.map(freshDatabase, (connection) => peopleAt(connection))))
          )
        )
      )
    ))
})

/** The fastest of five runs, because other tests run at the same time. */
const fastestMs = async (hash: string): Promise<number> => {
  const times: Array<number> = []
  for (let round = 0; round < 5; round++) {
    const startedMs = performance.now()
    await verifyPassword({ hash, password: "not the right one" })
    times.push(performance.now() - startedMs)
  }
  return Math.min(...times)
}
