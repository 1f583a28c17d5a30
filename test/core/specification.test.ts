import { existsSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { docUrl, errorRow } from "../../core/error/Refusal.ts"
import { retryDecision, retryWaitsSeconds } from "../../core/error/retry.ts"
import type { ErrorCode } from "../../core/error/table.ts"
import { errors } from "../../core/error/table.ts"
import { catalogue } from "../../core/operation/catalogue.ts"
import type { Operation } from "../../core/operation/Operation.ts"
import { surfacePrefix } from "../../core/operation/Operation.ts"
import { requirements, scopes } from "../../core/operation/scope.ts"
import { testKeyDays } from "../../core/sandbox/testKey.ts"
import { packNames, packs, sandboxLimits, starterCredits } from "../../core/organization/pack.ts"
import { chapterBelow, specification, specificationUrl, tableBelow } from "./specificationTables.ts"

const codes = Object.keys(errors) as ReadonlyArray<ErrorCode>
const operations: ReadonlyArray<Operation> = Object.values(catalogue)

/** `PATCH /api/v1/webhooks/{}`: the names of path parameters are nobody's contract. */
const callOf = (operation: Operation): string =>
  nameless(`${operation.method} ${surfacePrefix[operation.onlyOn ?? "live"]}${operation.path}`)
const nameless = (call: string): string => call.replaceAll(/\{\w+\}/g, "{}")
const operationFor = (call: string): Operation | undefined =>
  operations.find((operation) => callOf(operation) === nameless(call))

describe("§7 errors", () => {
  const table = tableBelow("7.3 Error codes", ["Code", "Status", "Retryable", "Condition / hint"])

  it("§7.3 has 43 codes of which 9 are retryable, and so has the table", () => {
    expect(table).toHaveLength(43)
    expect(table.filter((row) => row["Retryable"] === "yes")).toHaveLength(9)
    expect(codes.filter((code) => errors[code].retryable)).toHaveLength(9)
  })

  it("§7.3 every row agrees with the table in code, status and retryable, both ways and in order", () => {
    const specified = table.map((row) => [row["Code"], Number(row["Status"]), row["Retryable"] === "yes"])
    expect(codes.map((code) => [code, errors[code].status, errors[code].retryable])).toEqual(specified)
  })

  it("§7.3 a code whose condition speaks of details declares their shape", () => {
    const detailed = table
      .filter((row) => row["Condition / hint"]?.includes("details"))
      .map((row) => row["Code"])
    expect(detailed).not.toHaveLength(0)
    expect(codes.filter((code) => errorRow(code).details !== undefined)).toEqual(
      expect.arrayContaining(detailed)
    )
  })

  it("§7.1 every row has a message and a hint, as sentences", () => {
    for (const code of codes) {
      expect(errors[code].message, code).toMatch(/^[A-Z].*\.$/)
      expect(errors[code].hint, code).toMatch(/^\S.*(\.|\{support\})$/)
    }
  })

  it("§7.1 docUrl is the code in lower case with hyphens", () => {
    expect(docUrl("https://api.example", "AUTH_KEY_NOT_FOUND")).toBe(
      "https://api.example/docs/errors#auth-key-not-found"
    )
  })

  it("§7.2 errors use exactly the statuses of the table, 200 being success", () => {
    const statuses = tableBelow("7.2 HTTP statuses", ["Status", "Meaning"]).map((row) =>
      Number(row["Status"])
    )
    expect([200, ...new Set(codes.map((code) => errors[code].status))].sort()).toEqual(statuses)
  })

  it("§7.4 a client waits 1, 2 and 4 seconds, then gives up after 3 retries", () => {
    const [first, second, third] = retryWaitsSeconds
    expect(chapterBelow("7.4 Retry rules")).toContain(
      `wait ${first} second, then ${second}, then ${third}; give up after ${retryWaitsSeconds.length} retries`
    )
    expect(chapterBelow("8.3 Credits and other constants")).toContain(
      `Client retry cap: ${retryWaitsSeconds.length} retries`
    )
  })

  it("§7.4.4 the same idempotency key goes out again for exactly the codes it names", () => {
    const keeping = codes.filter((code) => {
      const decision = retryDecision({ code, retriesDone: 0, retryAfterSeconds: null })
      return decision._tag === "RetryAfter" && decision.sameIdempotencyKey
    })
    const rule =
      chapterBelow("7.4 Retry rules")
        .split("\n")
        .find((line) => line.startsWith("4.")) ?? ""
    expect(keeping).toEqual(codes.filter((code) => rule.includes(code)))
  })
})

describe("§5 scopes", () => {
  const table = tableBelow("5. Authentication", ["Operation", "Required scope"])
  const named = table.filter((row) => row["Operation"] !== "read endpoints")

  it("§5 every operation of the table is in the catalogue and asks for write or admin", () => {
    for (const row of named) {
      expect(row["Required scope"]).toBe(requirements.write.join(" or "))
      expect(operationFor(row["Operation"] ?? "")?.requirement, row["Operation"]).toBe("write")
    }
  })

  it("§5 read endpoints accept read, and admin satisfies both", () => {
    expect(table.at(-1)?.["Required scope"]).toBe("read (admin also satisfies)")
    expect(requirements.read).toEqual(["read", "admin"])
    expect(requirements.write).toContain("admin")
  })

  it("§5 every webhook operation asks for write and the feature, and no other operation for one", () => {
    for (const operation of operations) {
      const ofWebhooks = operation.path.startsWith("/webhooks")
      expect(operation.feature, callOf(operation)).toBe(ofWebhooks ? "webhooks" : null)
      if (ofWebhooks) expect(operation.requirement, callOf(operation)).toBe("write")
    }
  })

  it("§5.8 only the decisions of a release ask for the certified scope", () => {
    const certified = operations.filter((operation) => operation.requirement === "certified")
    expect(certified.map(callOf)).toEqual(["GET /api/v1/releases/{}/decisions"])
  })

  it("§5.1 only health and the making of a test key ask for no credential", () => {
    expect(operations.filter((operation) => operation.requirement === null).map(callOf)).toEqual([
      "GET /api/v1/health",
      "POST /api/sandbox/v1/keys"
    ])
  })

  it("§2.5 the scopes a key may carry are those it names", () => {
    expect(scopes.filter((scope) => chapterBelow("2.5 API key").includes(scope))).toEqual(scopes)
  })
})

describe("§4 endpoints", () => {
  it("§4.1 to §4.4 every endpoint with a chapter is in the catalogue", () => {
    const calls = [...specification.matchAll(/^### 4\.\d (\w+ \/api\/v1\S*)$/gm)].map(
      (match) => match[1] ?? ""
    )
    expect(calls).toHaveLength(4)
    expect(calls.filter((call) => operationFor(call) === undefined)).toEqual([])
  })

  it("§4.5 so is every live endpoint that is only named", () => {
    const calls = tableBelow("4.5 Endpoints named without a documented shape", [
      "Method and path",
      "Known facts",
      "Payload shape"
    ])
      .map((row) => row["Method and path"] ?? "")
      .filter((call) => call.includes(" /api/v1/"))
    expect(calls).toHaveLength(8)
    expect(calls.filter((call) => operationFor(call) === undefined)).toEqual([])
  })

  it("no two operations answer the same call", () => {
    expect(new Set(operations.map(callOf)).size).toBe(operations.length)
  })
})

describe("§8 limits", () => {
  it("§8.1 the requests per minute of each pack", () => {
    const specified = tableBelow("8.1 Per-minute request limit", ["Pack", "Requests per minute"]).map(
      (row) => [row["Pack"]?.split(" ")[0], Number(row["Requests per minute"])]
    )
    expect(packNames.map((name) => [packs[name].title, packs[name].requestsPerMinute])).toEqual(specified)
  })

  it("§8.1.2 most operations cost 1 and none more than 8, health nothing", () => {
    const costs = operations.map((operation) => operation.credits)
    expect(Math.max(...costs)).toBe(8)
    expect(costs.filter((cost) => cost === 1).length).toBeGreaterThan(costs.length / 2)
    expect(operations.filter((operation) => operation.credits === 0).map(callOf)).toEqual([
      "GET /api/v1/health",
      "POST /api/sandbox/v1/keys"
    ])
  })

  it("§3.2 a test key lives for the days it says", () => {
    expect(specification).toContain(`test key valid | ${testKeyDays} days elapse after issue`)
  })

  it("§8.1.4 the sandbox allows 60 requests a minute for each test key", () => {
    expect(chapterBelow("8.1 Per-minute request limit")).toContain(
      `The sandbox allows ${sandboxLimits.perMinute} requests per minute per test key`
    )
  })

  it("§8.3 a new organization starts with 100 credits", () => {
    expect(chapterBelow("8.3 Credits and other constants")).toContain(`Starter credits: ${starterCredits}.`)
  })

  it("§1 only Scale includes webhooks", () => {
    expect(packNames.filter((name) => packs[name].webhooks)).toEqual(["scale"])
  })
})

describe("the specification itself", () => {
  const original = new URL("../shared/spec/coverage-policy-api.md", new URL("../../", import.meta.url))

  it("is kept as it was given, byte for byte, wherever the original lies beside the project", (context) => {
    if (!existsSync(original)) return context.skip("the original does not lie beside the project")
    expect(readFileSync(specificationUrl).equals(readFileSync(original))).toBe(true)
  })
})
