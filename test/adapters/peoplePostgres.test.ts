import assert from "node:assert/strict"
import { getMigrations } from "better-auth/db/migration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { describe, it, vi } from "vitest"
import { optionsOf } from "../../adapters/identity/auth.ts"
import { dialectOver } from "../../adapters/identity/dialect.ts"
import { databaseOver } from "../../adapters/identity/People.ts"
import { Mailbox } from "../../adapters/memory/Mail.ts"
import { poolConnectionsMax } from "../../adapters/postgres/Database.ts"
import { People } from "../../core/port/People.ts"
import {
  accountForm,
  requestAccount,
  find,
  freshEmail,
  goodPassword,
  signUpPerson,
  emailsTo,
  signIn,
  tokenIn
} from "../kit/people.ts"
import { peopleAt } from "../stores/people.ts"
import { freshDatabase } from "../kit/postgres.ts"

const running = <A, R>(effect: Effect.Effect<A, unknown, R>, layer: Layer.Layer<R, unknown, never>) =>
  Effect.runPromise(Effect.scoped(Effect.provide(effect, Layer.fresh(layer))))

const fresh = Layer.unwrap(Effect.map(freshDatabase, (connection) => peopleAt(connection)))

describe("People in PostgreSQL", () => {
  it("the committed schema is what the library would make: nothing is pending", () =>
    running(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const expected = Effect.promise(() => getMigrations(optionsFor(sql)))
        const { toBeAdded, toBeAddedIndexes, toBeCreated, schemaProblems } = yield* expected
        assert.deepEqual({ toBeAdded, toBeAddedIndexes, toBeCreated, schemaProblems }, nothingPending)
        yield* sql`alter table auth."user" drop column "image"`
        const [{ table } = { table: "" }] = (yield* expected).toBeAdded
        assert.equal(table, "user")
      }),
      fresh
    ))

  it("law 5: nothing in the store signs anybody in: no password, no token of a link, no cookie", () =>
    running(
      Effect.gen(function* () {
        const email = freshEmail()
        const { cookie } = yield* signUpPerson(email)
        const signUpToken = yield* requestAccount(freshEmail())
        const before = yield* emailsTo(email)
        yield* (yield* People).requestReset(email)
        const resetToken = tokenIn((yield* (yield* Mailbox).next(email, before)).text)
        const stored = yield* everythingStored
        assert.match(stored, new RegExp(email))
        const [, value = ""] = cookie.split("=")
        const secrets = [goodPassword, signUpToken, resetToken, decodeURIComponent(value)]
        for (const secret of secrets) assert.equal(stored.includes(secret), false)
        const sql = yield* SqlClient
        const rows = yield* sql<{ readonly token: string }>`select token from auth.session`
        for (const { token } of rows) assert.equal(yield* find(`coverage_session=${token}`), undefined)
        assert.equal(rows.length, 1)
      }),
      fresh
    ))

  it("a cookie that an older secret signed still signs in, and one of a secret that is gone does not", () =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const connection = yield* freshDatabase
          const [old, next] = ["an old secret of thirty-two letters", "the next secret of thirty-two letters"]
          const withKeys = <A, E>(
            keys: readonly [string, ...Array<string>],
            effect: Effect.Effect<A, E, People | Mailbox>
          ) => Effect.provide(effect, peopleAt(connection, { secretKeys: keys }))
          const { cookie, person } = yield* withKeys([old], signUpPerson())
          assert.deepEqual(yield* withKeys([next, old], find(cookie)), person)
          assert.equal(yield* withKeys([next], find(cookie)), undefined)
          const signOut = Effect.flatMap(People, (people) => people.signOut(cookie))
          yield* withKeys([next, old], signOut)
          assert.equal(yield* withKeys([old], find(cookie)), undefined)
        })
      )
    ))

  it("over HTTPS the cookie is bound to the host: __Host-, Secure, HttpOnly, SameSite=Lax, Path=/", () =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const connection = yield* freshDatabase
          const cookies = Effect.gen(function* () {
            const email = freshEmail()
            yield* signUpPerson(email)
            const said = yield* signIn({ email })
            return said._tag === "SignedIn" ? said.cookies : assert.fail(said._tag)
          })
          const secure = yield* Effect.provide(
            cookies,
            peopleAt(connection, { baseUrl: "https://a.example" })
          )
          assert.equal(secure.length, 1)
          const attributes = "; Max-Age=2592000; Path=/; HttpOnly; Secure; SameSite=Lax"
          assert.match(secure[0] ?? "", /^__Host-coverage_session=[\w%.-]+; /)
          assert.equal((secure[0] ?? "").replace(/^[^;]+/, ""), attributes)
          const plain = yield* Effect.provide(
            cookies,
            peopleAt(connection, { baseUrl: "http://localhost:3000" })
          )
          assert.match(plain[0] ?? "", /^coverage_session=/)
          assert.doesNotMatch(plain[0] ?? "", /Secure|Domain/)
        })
      )
    ))

  it("law 6: a store that is unavailable fails every verb with PeopleUnavailable", () =>
    running(
      Effect.gen(function* () {
        const { requestReset, reset, signOut, signUp, verify } = yield* People
        const cookie = yield* Effect.provide(
          Effect.map(signUpPerson(), (one) => one.cookie),
          fresh
        )
        const form = { email: freshEmail(), next: null }
        const verbs = [
          signUp(form),
          verify(accountForm("x")),
          signIn({ email: form.email }),
          find(cookie),
          signOut(cookie),
          requestReset(form.email),
          reset({ token: "x", password: goodPassword })
        ]
        for (const verb of verbs) {
          const failure = yield* Effect.flip(
            verb as Effect.Effect<unknown, { readonly _tag: string }, People>
          )
          assert.equal(failure._tag, "PeopleUnavailable")
        }
      }),
      peopleAt({ folder: "/nowhere", database: "coverage", username: "coverage" })
    ))

  it("many at once neither run out of connections nor leave a transaction open", () =>
    running(
      Effect.gen(function* () {
        const { verify } = yield* People
        const token = yield* requestAccount(freshEmail())
        const said = yield* Effect.all(
          Array.from({ length: 3 * poolConnectionsMax }, () => verify(accountForm(token))),
          { concurrency: "unbounded" }
        )
        assert.equal(said.filter(({ _tag }) => _tag === "SignedIn").length, 1)
        const sql = yield* SqlClient
        const idle = yield* sql`select 1 from pg_stat_activity
          where datname = current_database() and state like 'idle in transaction%'`
        assert.equal(idle.length, 0)
      }),
      fresh
    ))

  it("nothing of what people type is printed", async () => {
    const printed = vi.spyOn(console, "log").mockImplementation(() => undefined)
    const warned = [vi.spyOn(console, "warn"), vi.spyOn(console, "error"), vi.spyOn(console, "info")]
    await running(
      Effect.gen(function* () {
        const email = freshEmail()
        yield* signUpPerson(email)
        yield* requestAccount(freshEmail())
        yield* signIn({ email, password: "wrong password here" })
        yield* signIn({ email: freshEmail() })
        yield* (yield* People).requestReset(freshEmail())
      }),
      fresh
    )
    for (const spy of [printed, ...warned]) assert.deepEqual(spy.mock.calls, [])
    vi.restoreAllMocks()
  })
})

const nothingPending = { toBeAdded: [], toBeAddedIndexes: [], toBeCreated: [], schemaProblems: [] }

const optionsFor = (sql: SqlClient) =>
  optionsOf({
    database: databaseOver(dialectOver(sql, () => undefined)),
    baseUrl: "http://localhost:3000",
    secret: "a secret of at least thirty-two characters",
    sendReset: () => undefined,
    endResets: () => Promise.resolve()
  })

const everythingStored = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tables = ["user", "session", "account", "verification"]
  const texts = yield* Effect.forEach(tables, (table) =>
    Effect.map(sql`select row_to_json(t)::text as text from auth.${sql(table)} t`, (rows) =>
      JSON.stringify(rows)
    )
  )
  return texts.join("\n")
})
