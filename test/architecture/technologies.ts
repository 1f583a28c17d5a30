/**
 * The one technology of each adapter: what it may open beside core and Effect's plain modules. A new adapter
 * is a new row; a second technology in a row needs its paragraph in docs/dependencies.md.
 */
export const technologies: Readonly<Record<string, ReadonlyArray<string>>> = {
  memory: ["effect/testing", "effect/persistence"],
  node: [],
  postgres: [
    "@effect/sql-pg",
    "@effect/platform-node",
    "effect/sql",
    "effect/reactivity",
    "effect/persistence",
    "node:fs",
    "node:os",
    "node:net",
    "node:child_process",
    "node:module",
    "node:process"
  ],
  redis: ["ioredis"],
  jose: ["jose"],
  webhook: ["undici", "@effect/platform-node", "effect/http", "node:dns", "node:net"],
  cms: ["csv-parse", "yauzl", "node:fs", "node:stream", "node:zlib", "node:string_decoder"],
  payer: ["node:fs"],
  http: [
    "@effect/platform-node",
    "effect/http",
    "effect/http-api",
    "node:fs",
    "node:fs",
    "node:http",
    "node:net",
    "node:stream",
    "node:zlib"
  ],
  html: [],
  fast: [],
  mail: ["nodemailer"],
  mcp: ["@modelcontextprotocol/server", "@effect/platform-node", "effect/http"],
  identity: ["better-auth", "kysely", "effect/sql"],
  oauth: ["oidc-provider", "koa", "@effect/platform-node", "effect/http", "node:http"],
  dashboard: ["@effect/platform-node", "effect/http", "d3-scale", "node:http"],
  telemetry: ["effect/observability", "effect/http", "node:http", "node:perf_hooks"],
  client: []
}

/** Modules of Node that compute and reach nothing outside the process: open to every adapter. */
export const plainModules: ReadonlySet<string> = new Set([
  "node:buffer",
  "node:crypto",
  "node:path",
  "node:timers/promises",
  "node:url",
  "node:util"
])
