import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { resetEmail } from "../../core/admin/emails.ts"
import { Crypto } from "../../core/port/Crypto.ts"
import { Mail } from "../../core/port/Mail.ts"
import { People } from "../../core/port/People.ts"
import { Settings } from "../../core/port/Settings.ts"
import type { AuthOptions } from "./auth.ts"
import { cookieName, makeAuth } from "./auth.ts"
import type { StoreFaults } from "./callAuth.ts"
import { makeCallAuth, makeStoreFaults } from "./callAuth.ts"
import { dialectOver } from "./dialect.ts"
import { resetVerbs, sessionVerbs, signInVerbs, signUpVerbs } from "./verbs.ts"

/** People in PostgreSQL's schema `auth`, over the pool of the process. */
export const layer = Layer.effect(
  People,
  Effect.gen(function* () {
    const faults = makeStoreFaults()
    const dialect = dialectOver(yield* SqlClient, faults.add)
    return yield* make(databaseOver(dialect), faults)
  })
)

/** Where the library keeps its tables. */
export const databaseOver = (dialect: ReturnType<typeof dialectOver>) =>
  ({ dialect, type: "postgres", schemaName: "auth", transaction: true }) as const

/** Separates these secrets from others derived from the operator's. */
const secretLabel = "coverage-policy people v1"
/** How long shutdown waits for unsent emails: as long as a mail server may take. */
const emailsEnd = "10 seconds"

const make = Effect.fnUntraced(function* (database: AuthOptions["database"], faults: StoreFaults) {
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
    sendReset: (reset) => void inBackground(mail.send(resetEmail({ ...reset, baseUrl }))),
    endResets: async (personId) => {
      const { adapter } = await auth.$context
      return adapter.deleteMany({ model: "verification", where: [{ field: "value", value: personId }] })
    }
  })
  const cookie = { name: cookieName(baseUrl), secrets }
  const parts = { auth, callAuth: makeCallAuth(faults), cookie, mail, baseUrl }
  return People.of({
    ...signUpVerbs(parts),
    ...sessionVerbs(parts),
    ...signInVerbs(parts),
    ...resetVerbs(parts)
  })
})

// The time of a response must not show whether an account exists, so no response waits for this email.
const backgroundEmails = Effect.gen(function* () {
  const emails = yield* FiberSet.make<void>()
  const run = yield* FiberSet.runtime(emails)()
  yield* Effect.addFinalizer(() => Effect.timeoutOption(FiberSet.awaitEmpty(emails), emailsEnd))
  return <E>(email: Effect.Effect<void, E>) =>
    run(Effect.catchCause(email, () => Effect.logWarning("the mail server did not take an email")))
})
