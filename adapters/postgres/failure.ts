import type { SqlError } from "effect/sql/SqlError"
import { isSqlError } from "effect/sql/SqlError"

/** Why PostgreSQL cannot be used: a word for health, metrics and logs, and a sentence for who starts it. */
export interface DatabaseFailure {
  readonly reason: string
  readonly says: string
}

interface FailureRow extends DatabaseFailure {
  /** SQLSTATEs, codes of Node's sockets and TLS, or words of a message. */
  readonly when: RegExp
}

/** The first row that fits counts. */
const failures: ReadonlyArray<FailureRow> = [
  { when: /^25006$/, reason: "read_only", says: "PostgreSQL takes no writes: it is a standby or read-only." },
  { when: /^53100$/, reason: "disk_full", says: "The disk of PostgreSQL is full." },
  { when: /^53300$/, reason: "too_many_connections", says: "PostgreSQL has no connection left." },
  { when: /^53/, reason: "out_of_resources", says: "PostgreSQL has run out of a resource." },
  {
    when: /^42501$/,
    reason: "privileges",
    says: "The login of DATABASE_URL lacks privileges on the schema."
  },
  { when: /^28/, reason: "login", says: "PostgreSQL refused the user or the password of DATABASE_URL." },
  { when: /^3D000$/, reason: "database_name", says: "The database that DATABASE_URL names does not exist." },
  {
    when: /unsupported startup parameter/,
    reason: "pooler_settings",
    says:
      "The pooler of DATABASE_URL refuses settings of a session: let it ignore " +
      "statement_timeout, idle_in_transaction_session_timeout, jit, plan_cache_mode, enable_seqscan and " +
      "enable_bitmapscan (ignore_startup_parameters), and set the first three for the login."
  },
  {
    when: /CERT|SELF_SIGNED|TLS|SSL|certificate/i,
    reason: "tls",
    says: "The TLS connection to PostgreSQL failed: check its certificate, and sslmode in DATABASE_URL."
  },
  { when: /^57P/, reason: "restarting", says: "PostgreSQL is starting up or shutting down." },
  { when: /^57014$/, reason: "timeout", says: "PostgreSQL did not answer in time." },
  { when: /ENOTFOUND|EAI_AGAIN/, reason: "host_name", says: "The host of DATABASE_URL has no address." }
]

const unreachable: DatabaseFailure = {
  reason: "unreachable",
  says: "PostgreSQL does not answer: check DATABASE_URL and that it runs."
}

/** What an error of the driver means; nothing of it is repeated, for its message may name what was sent. */
export const databaseFailure = (error: unknown): DatabaseFailure => {
  if (!isSqlError(error)) return unreachable
  const marks = marksOf(error)
  return failures.find(({ when }) => marks.some((mark) => when.test(mark))) ?? unreachable
}

const marksOf = ({ reason }: SqlError): ReadonlyArray<string> => {
  const { cause } = reason
  const code = typeof cause === "object" && cause !== null && "code" in cause ? [String(cause.code)] : []
  return [...code, ...(cause instanceof Error ? [cause.message] : [])]
}
