import { parseDatabaseUrl } from "../../adapters/postgres/hosts.ts"
import { parseNetwork } from "../../core/network/address.ts"
import { appSchemes, parseAppScheme } from "../../core/oauth/redirectUri.ts"

/**
 * What a variable's text means, or a sentence that says what is wrong with it; the sentence never repeats the
 * text.
 */
export type ReadValue = { readonly value: unknown } | { readonly fault: string }

/** One row of the environment (contract §4). `secret`: shown by the command line only as set or not set. */
export interface Variable {
  readonly standard: string | undefined
  readonly standardSays?: string
  readonly describes: string
  readonly secret?: true
  readonly read: (text: string) => ReadValue
}

const value = (read: unknown): ReadValue => ({ value: read })
const fault = (says: string): ReadValue => ({ fault: says })

const integer =
  (min: number, max: number) =>
  (text: string): ReadValue =>
    /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max
      ? value(Number(text))
      : fault(`must be a whole number from ${min} to ${max}`)

const oneOf =
  (words: ReadonlyArray<string>) =>
  (text: string): ReadValue =>
    words.includes(text) ? value(text) : fault(`must be one of ${words.join(", ")}`)

const url =
  (protocols: ReadonlyArray<string>) =>
  (text: string): ReadValue =>
    URL.canParse(text) && protocols.includes(new URL(text).protocol)
      ? value(text.replace(/\/+$/, ""))
      : fault(`must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`)

/** A URL that anyone may see, and so without a user name or password. */
const publicUrl =
  (protocols: ReadonlyArray<string>) =>
  (text: string): ReadValue => {
    const reading = url(protocols)(text)
    if ("fault" in reading) return reading
    const { password, username } = new URL(text)
    const hasUserInfo = username !== "" || password !== "" || /^[a-z]+:[/\\]*[^/\\?#]*@/i.test(text)
    return hasUserInfo && !text.startsWith("mailto:")
      ? fault("must not contain a user name or password")
      : reading
  }

/** One server, or several hosts of which the primary is used: postgresql://user@a:5432,b:5432/name. */
const databaseUrl = (text: string): ReadValue =>
  parseDatabaseUrl(text) === undefined
    ? fault(
        "must be a URL that begins with postgres:// or postgresql://; " +
          "of several hosts target_session_attrs=read-write is the one choice"
      )
    : value(text)

const clusterNodes = /^redis-cluster:\/\/([^\s/?#@]+@)?[^\s/?#@:,]+:\d{1,5}(,[^\s/?#@:,]+:\d{1,5})*\/?$/

/** One server, or the nodes of a cluster, of which the client learns the others. */
const redisUrl = (text: string): ReadValue => {
  if (!text.startsWith("redis-cluster:")) return url(["redis:", "rediss:"])(text)
  return clusterNodes.test(text)
    ? value(text.replace(/\/$/, ""))
    : fault("must name the nodes of a cluster as redis-cluster://host:port,host:port")
}

const plain = (text: string): ReadValue =>
  text.includes("\0") ? fault("must not hold a NUL character") : value(text)

const secretLengthMin = 32
const secrets = (text: string): ReadValue => {
  const parts = text.split(",").map((part) => part.trim())
  return parts.every((part) => part.length >= secretLengthMin)
    ? value(parts)
    : fault(`must be one key of at least ${secretLengthMin} characters, or several separated by commas`)
}

const networks = (text: string): ReadValue => {
  const parts = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
  return parts.every((part) => parseNetwork(part) !== undefined)
    ? value(parts)
    : fault("must be CIDRs such as 10.0.0.0/8, separated by commas")
}

const ports = (text: string): ReadValue => {
  const parts = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
  return parts.every((part) => /^\d{1,5}$/.test(part) && Number(part) >= 1 && Number(part) <= 65_535)
    ? value(parts.map(Number))
    : fault("must be port numbers, separated by commas")
}

const redirectSchemes = (text: string): ReadValue => {
  const parts = text.split(",").filter((part) => part.trim() !== "")
  const schemes = parts.flatMap((part) => parseAppScheme(part) ?? [])
  return schemes.length === parts.length
    ? value(schemes)
    : fault(
        "must be schemes of installed apps such as zed, separated by commas; schemes that a browser or the " +
          "system handles itself (http, javascript, data, file, ms-…) are not allowed"
      )
}

/** Every variable the service reads, and nothing else is read (contract §4). */
export const variables = {
  PORT: {
    standard: "3000",
    describes: "The port to listen on; 0 lets the system choose.",
    read: integer(0, 65_535)
  },
  HOST: { standard: "127.0.0.1", describes: "The address to listen on.", read: plain },
  BASE_URL: {
    standard: undefined,
    standardSays: "http://{HOST}:{PORT}",
    describes: "Where clients reach the service; https in production, and without a user name or password.",
    read: publicUrl(["http:", "https:"])
  },
  ENVIRONMENT: {
    standard: "development",
    describes: "development, or production with its stricter rules.",
    read: oneOf(["development", "production"])
  },
  DATABASE_URL: {
    standard: undefined,
    standardSays: "an embedded PostgreSQL in DATA_DIR",
    describes: "The PostgreSQL to use; of several hosts (a:5432,b:5432) the one that takes writes.",
    secret: true,
    read: databaseUrl
  },
  DATABASE_READ_URL: {
    standard: undefined,
    standardSays: "the library is read from DATABASE_URL",
    describes: "A streaming replica that look-ups and searches of the library are read from.",
    secret: true,
    read: databaseUrl
  },
  DATABASE_LISTEN_URL: {
    standard: undefined,
    standardSays: "DATABASE_URL",
    describes: "A direct connection to the primary, where DATABASE_URL is a pooler.",
    secret: true,
    read: databaseUrl
  },
  DATA_DIR: {
    standard: ".data",
    describes: "The folder of the embedded PostgreSQL and the generated key.",
    read: plain
  },
  REDIS_URL: {
    standard: undefined,
    standardSays: "limits are kept in the process",
    describes: "The Redis that processes share their limits by; redis-cluster://h:p,h:p for a cluster.",
    secret: true,
    read: redisUrl
  },
  WORKERS: { standard: "1", describes: "Processes to run; above 1 needs REDIS_URL.", read: integer(1, 64) },
  NODES: {
    standard: undefined,
    standardSays: "WORKERS",
    describes: "Processes behind one address; they share the degraded limit.",
    read: integer(1, 10_000)
  },
  KEEP_ALIVE_SECONDS: {
    standard: "75",
    describes: "How long an idle connection is kept open; more than the idle time of your load balancer.",
    read: integer(1, 3_600)
  },
  DRAIN_SECONDS: {
    standard: "0",
    describes: "After SIGTERM, how long /ready is 503 before the port closes.",
    read: integer(0, 600)
  },
  TRUSTED_PROXIES: {
    standard: "",
    describes: "CIDRs whose X-Forwarded-For is believed.",
    read: networks
  },
  SECRET_KEY: {
    standard: undefined,
    standardSays: "generated once into DATA_DIR",
    describes: "Signs cursors and encrypts at rest; of a comma list the first signs and all verify.",
    secret: true,
    read: secrets
  },
  WEBHOOK_LOOPBACK: {
    standard: "",
    describes: "Ports on 127.0.0.1 that may receive webhooks over http; not in production.",
    read: ports
  },
  WEBHOOK_PORTS: {
    standard: "443",
    describes: "The ports that URLs of webhooks may have, separated by commas.",
    read: ports
  },
  WEBHOOK_SECRET: {
    standard: undefined,
    standardSays: "given on standard input",
    describes: "What `cli webhooks listen` verifies with; the service itself does not look at it.",
    secret: true,
    read: plain
  },
  OAUTH_REDIRECT_SCHEMES: {
    standard: "",
    describes: `App schemes that OAuth clients may return to, beyond ${appSchemes.join(", ")} and those with a dot.`,
    read: redirectSchemes
  },
  SUPPORT_URL: {
    standard: undefined,
    standardSays: "{BASE_URL}/docs/errors",
    describes: 'Where "contact support" points.',
    read: publicUrl(["http:", "https:", "mailto:"])
  },
  SMTP_URL: {
    standard: undefined,
    standardSays: "emails are written to the log",
    describes: "The mail server for outgoing email; in production it must be set, or EMAIL_TO_LOG=1.",
    secret: true,
    read: url(["smtp:", "smtps:"])
  },
  EMAIL_TO_LOG: {
    standard: "0",
    describes: "1: production starts without SMTP_URL and writes emails, with their links, to the log.",
    read: oneOf(["0", "1"])
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    standard: undefined,
    standardSays: "nothing is exported",
    describes: "Where telemetry is sent; a user name and password are sent as Basic authentication.",
    read: url(["http:", "https:"])
  },
  OTEL_SQL_SPANS: {
    standard: "0",
    describes: "1: the spans of statements are sent too, without their parameters.",
    read: oneOf(["0", "1"])
  },
  ACCESS_LOG: {
    standard: "0",
    describes: "1: a line of JSON on stdout for each answer, without path, query or body.",
    read: oneOf(["0", "1"])
  },
  LOG_LEVEL: {
    standard: "info",
    describes: "The least severe log line that is written.",
    read: oneOf(["trace", "debug", "info", "warn", "error", "fatal", "none"])
  }
} as const satisfies Record<string, Variable>

export type VariableName = keyof typeof variables
export const variableNames = Object.keys(variables) as ReadonlyArray<VariableName>
