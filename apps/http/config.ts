import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import * as Redacted from "effect/Redacted"
import { variableNames, variables } from "./variables.ts"
import type { Variable, VariableName } from "./variables.ts"

/**
 * Everything the operator decides (contract §4), read once; this is the only file that reads the
 * environment.
 */
export interface Config {
  readonly port: number
  readonly host: string
  readonly baseUrl: string
  readonly environment: "development" | "production"
  readonly databaseUrl: Redacted.Redacted | undefined
  /** A streaming replica for reads of the library; undefined: the primary. */
  readonly databaseReadUrl: Redacted.Redacted | undefined
  /** A direct connection, where the database's URL is a pooler; undefined: the database's own. */
  readonly databaseListenUrl: Redacted.Redacted | undefined
  readonly dataDir: string
  readonly redisUrl: Redacted.Redacted | undefined
  readonly workers: number
  /** How long an idle connection is kept open. */
  readonly keepAliveSeconds: number
  /** From SIGTERM on, `/ready` is 503 for so long before the port closes. */
  readonly drainSeconds: number
  readonly nodes: number
  readonly trustedProxies: ReadonlyArray<string>
  readonly secretKeys: readonly [string, ...ReadonlyArray<string>]
  readonly webhookLoopback: ReadonlyArray<number>
  /** The ports that URLs of webhooks may have. */
  readonly webhookPorts: ReadonlyArray<number>
  /** Schemes of apps, beyond the usual ones, that OAuth clients may return to. */
  readonly redirectSchemes: ReadonlyArray<string>
  readonly supportUrl: string
  /** The mail server with its user and password; undefined: emails are written to the log. */
  readonly smtpUrl: Redacted.Redacted | undefined
  /** The OpenTelemetry collector; undefined: nothing is exported. */
  readonly otlpEndpoint: Redacted.Redacted | undefined
  /** Whether each answer is a line on stdout. */
  readonly accessLog: boolean
  /** Whether the spans of statements are exported with those of calls. */
  readonly sqlSpans: boolean
  readonly logLevel: "Trace" | "Debug" | "Info" | "Warn" | "Error" | "Fatal" | "None"
}

/** One sentence that names the variable and says what to do. */
export class ConfigRefused extends Error {}

type Environment = Readonly<Record<string, string | undefined>>
type Values = Readonly<Record<VariableName, unknown>>

/** Reads the environment, or throws ConfigRefused before anything has started. */
export const readConfig = (environment: Environment = process.env): Config => {
  const settled = settle(environment)
  return { ...settled, secretKeys: settled.secretKeys ?? [generatedKey(settled.dataDir)] }
}

/**
 * Throws ConfigRefused where `readConfig` would, and makes nothing: looking at the configuration writes no
 * key.
 */
export const checkConfig = (environment: Environment = process.env): void => void settle(environment)

/** The secret that `webhooks listen` verifies with; undefined: the environment does not say. */
export const readWebhookSecret = (environment: Environment = process.env): string | undefined =>
  environment["WEBHOOK_SECRET"] || undefined

/**
 * Returns what `config` shows: every variable with its value in force. A secret is only set or not set, and
 * credentials in other URLs are masked.
 */
export const describeConfig = (environment: Environment = process.env) =>
  variableNames.map((name) => {
    const row: Variable = variables[name]
    const text = environment[name]
    const given = text !== undefined && text !== ""
    const shown = given
      ? row.secret === true
        ? "(set)"
        : masked(text)
      : (row.standard ?? `(${row.standardSays ?? "not set"})`)
    return { name, value: shown, given, describes: row.describes }
  })

/** Replaces the user name, the password and the values of the query, in a text that is a URL. */
const masked = (text: string): string => {
  const url = URL.parse(text)
  if (url === null) return text
  const hasUserInfo = url.username !== "" || url.password !== ""
  if (!hasUserInfo && url.search === "") return text
  if (hasUserInfo) Object.assign(url, { username: mask, password: "" })
  for (const name of new Set(url.searchParams.keys())) url.searchParams.set(name, mask)
  return url.href
}

const mask = "***"

/** All but the key that is generated where none is set. */
type Settled = Omit<Config, "secretKeys"> & { readonly secretKeys: Config["secretKeys"] | undefined }

const settle = (environment: Environment): Settled => {
  const read = Object.fromEntries(
    variableNames.map((name) => [name, readVariable(name, environment)])
  ) as Values
  const production = read.ENVIRONMENT === "production"
  const host = String(read.HOST)
  const shownHost = host.includes(":") ? `[${host}]` : host
  const baseUrl = String(read.BASE_URL ?? `http://${shownHost}:${String(read.PORT)}`)
  const workers = Number(read.WORKERS)
  const webhookLoopback = read.WEBHOOK_LOOPBACK as ReadonlyArray<number>
  refuseTogether(read, { production, baseUrl, workers, webhookLoopback })
  return {
    port: Number(read.PORT),
    host,
    baseUrl,
    environment: production ? "production" : "development",
    databaseUrl: redacted(read.DATABASE_URL),
    databaseReadUrl: redacted(read.DATABASE_READ_URL),
    databaseListenUrl: redacted(read.DATABASE_LISTEN_URL),
    dataDir: String(read.DATA_DIR),
    redisUrl: redacted(read.REDIS_URL),
    workers,
    keepAliveSeconds: Number(read.KEEP_ALIVE_SECONDS),
    drainSeconds: Number(read.DRAIN_SECONDS),
    nodes: Number(read.NODES ?? workers),
    trustedProxies: texts(read.TRUSTED_PROXIES),
    secretKeys: read.SECRET_KEY as Settled["secretKeys"],
    webhookLoopback,
    webhookPorts: read.WEBHOOK_PORTS as ReadonlyArray<number>,
    redirectSchemes: texts(read.OAUTH_REDIRECT_SCHEMES),
    supportUrl: String(read.SUPPORT_URL ?? `${baseUrl}/docs/errors`),
    smtpUrl: redacted(read.SMTP_URL),
    otlpEndpoint: redacted(read.OTEL_EXPORTER_OTLP_ENDPOINT),
    accessLog: read.ACCESS_LOG === "1",
    sqlSpans: read.OTEL_SQL_SPANS === "1",
    logLevel: capitalised(String(read.LOG_LEVEL)) as Config["logLevel"]
  }
}

/** What each variable allows by itself, and the others do not. */
const refuseTogether = (
  read: Values,
  {
    production,
    baseUrl,
    workers,
    webhookLoopback
  }: {
    readonly production: boolean
    readonly baseUrl: string
    readonly workers: number
    readonly webhookLoopback: ReadonlyArray<number>
  }
): void => {
  refuse(production && !baseUrl.startsWith("https:"), "BASE_URL must be an https URL in production.")
  refuse(
    production && read.SECRET_KEY === undefined,
    "SECRET_KEY must be set in production: 32 random characters or more."
  )
  refuse(
    production && read.SMTP_URL === undefined && read.EMAIL_TO_LOG !== "1",
    "SMTP_URL must be set in production, or EMAIL_TO_LOG=1 to write emails with their links to the log."
  )
  refuse(production && webhookLoopback.length > 0, "WEBHOOK_LOOPBACK must not be set in production.")
  for (const name of ["DATABASE_READ_URL", "DATABASE_LISTEN_URL"] as const)
    refuse(
      read[name] !== undefined && read.DATABASE_URL === undefined,
      `${name} needs DATABASE_URL, which names the primary.`
    )
  refuse(
    workers > 1 && read.REDIS_URL === undefined,
    "WORKERS above 1 needs REDIS_URL, by which the processes share their limits."
  )
}

const readVariable = (name: VariableName, environment: Environment): unknown => {
  const row: Variable = variables[name]
  const given = environment[name]
  const text = given === undefined || given === "" ? row.standard : given
  if (text === undefined) return undefined
  const reading = row.read(text)
  if ("fault" in reading) throw new ConfigRefused(`${name} ${reading.fault}.`)
  return reading.value
}

const refuse = (wrong: boolean, sentence: string): void => {
  if (wrong) throw new ConfigRefused(sentence)
}

const texts = (list: unknown) => list as ReadonlyArray<string>

const redacted = (text: unknown): Redacted.Redacted | undefined =>
  text === undefined ? undefined : Redacted.make(String(text))

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const keyBytes = 32

/**
 * Made at the first start and kept: cursors and stored answers must outlive a restart. Two first starts
 * agree.
 */
const generatedKey = (dataDir: string): string => {
  const file = join(dataDir, "secret.key")
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    try {
      writeFileSync(file, `${randomBytes(keyBytes).toString("base64url")}\n`, { flag: "wx", mode: 0o600 })
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
    }
    return readFileSync(file, "utf8").trim()
  } catch {
    throw new ConfigRefused(
      "DATA_DIR cannot be written to: make it writable, or set SECRET_KEY and DATABASE_URL."
    )
  }
}
