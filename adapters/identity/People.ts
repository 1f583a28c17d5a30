import { memoryAdapter } from "better-auth/adapters/memory"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { Crypto } from "../../core/port/Crypto.ts"
import { Mail } from "../../core/port/Mail.ts"
import { People } from "../../core/port/People.ts"
import { Settings } from "../../core/port/Settings.ts"
import { resetEmail } from "../../core/admin/emails.ts"
import type { Faults } from "./askAuth.ts"
import { makeAsk, makeFaults } from "./askAuth.ts"
import type { AuthOptions } from "./auth.ts"
import { cookieName, makeAuth } from "./auth.ts"
import { dialectOver } from "./dialect.ts"
import { resetVerbs, sessions, signingIn, signUps } from "./verbs.ts"

/** People in PostgreSQL's schema `auth`, over the pool of the process. */
export const layer = Layer.effect(
  People,
  Effect.gen(function* () {
    const faults = makeFaults()
    const dialect = dialectOver(yield* SqlClient, faults.add)
    return yield* make(databaseOver(dialect), faults)
  })
)

/** People of this process alone. */
export const memoryLayer = Layer.effect(
  People,
  Effect.suspend(() =>
    make(memoryAdapter({ user: [], session: [], account: [], verification: [] }), makeFaults())
  )
)

/** Where the library keeps its tables. */
export const databaseOver = (dialect: ReturnType<typeof dialectOver>) =>
  ({ dialect, type: "postgres", schemaName: "auth", transaction: true }) as const

/** Separates these secrets from whatever else is derived of the operator's. */
const secretLabel = "coverage-policy people v1"
/** A letter that is under way when the process ends is waited for as long as a mail server may take. */
const emailsEnd = "10 seconds"

const make = Effect.fnUntraced(function* (database: AuthOptions["database"], faults: Faults) {
  const { baseUrl, secretKeys } = yield* Settings
  const { hmacSha256 } = yield* Crypto
  const mail = yield* Mail
  const inBackground = yield* backgroundEmails
  const secretOf = (secret: string) => hmacSha256({ secret, text: secretLabel })
  const [first, ...older] = secretKeys
  const secrets = [secretOf(first), ...older.map(secretOf)] as const
  const auth = makeAuth({
    database,
    baseUrl,
    secret: secrets[0],
    sendReset: (letter) => void inBackground(mail.send(resetEmail({ ...letter, baseUrl }))),
    endResets: async (personId) => {
      const { adapter } = await auth.$context
      return adapter.deleteMany({ model: "verification", where: [{ field: "value", value: personId }] })
    }
  })
  const parts = { auth, ask: makeAsk(faults), cookie: { name: cookieName(baseUrl), secrets } }
  return People.of({
    ...signUps({ ...parts, mail, baseUrl }),
    ...sessions(parts),
    ...signingIn(parts),
    ...resetVerbs(parts)
  })
})

// Whether there is an account must not show in how long the answer takes, so that nobody waits for this one.
const backgroundEmails = Effect.gen(function* () {
  const letters = yield* FiberSet.make<void>()
  const run = yield* FiberSet.runtime(letters)()
  yield* Effect.addFinalizer(() => Effect.timeoutOption(FiberSet.awaitEmpty(letters), emailsEnd))
  return <E>(letter: Effect.Effect<void, E>) =>
    run(Effect.catchCause(letter, () => Effect.logWarning("a letter was not taken by the mail server")))
})
