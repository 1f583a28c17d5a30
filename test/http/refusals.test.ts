import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { refusalsOf, serverCodes } from "../../core/admission/gates.ts"
import type { IsoTime } from "../../core/coverage/date.ts"
import { errorAnchor, errorRow } from "../../core/error/Refusal.ts"
import { errorCodes } from "../../core/error/table.ts"
import type { ErrorCode } from "../../core/error/table.ts"
import { fingerprintText, scopeText } from "../../core/idempotency/fingerprint.ts"
import { isKeyed, operationIds, operationRow } from "../../core/operation/catalogue.ts"
import type { KeyedId, OperationId } from "../../core/operation/catalogue.ts"
import { Crypto } from "../../core/port/Crypto.ts"
import { Idempotency } from "../../core/port/Idempotency.ts"
import type { KeyRecord } from "../../core/key/state.ts"
import { policyFor } from "../../core/limit/policy.ts"
import type { LimitPolicy } from "../../core/limit/policy.ts"
import { packs, starterCredits } from "../../core/organization/pack.ts"
import type { PackName } from "../../core/organization/pack.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { Organizations } from "../../core/port/Organizations.ts"
import { Limits } from "../../core/port/Limits.ts"
import { services } from "./stores.ts"
import { movableClock } from "./clock.ts"
import { baseUrl, customer, healthy, serve } from "./harness.ts"
import type { Customer, ErrorBody, ServedApp } from "./harness.ts"
import { fillLibrary } from "../../apps/sandbox/library.ts"
import { seedRelease } from "./seededRelease.ts"
import { otherScope, prepareRequest, optionsFor } from "./prepareRequest.ts"
import { faulty, keyless, sound } from "./refusalInputs.ts"
import type { TestRequest } from "./TestRequest.ts"

const built = operationIds.filter(isKeyed)
/** Those need a broken store or a bug: serverFaults.test.ts causes them. */
const elsewhere: ReadonlySet<ErrorCode> = new Set([
  // Said by the sandbox alone: sandboxFaults.test.ts.
  "AUTH_SANDBOX_TEST_KEY_REQUIRED",
  ...serverCodes,
  "SERVER_SEARCH_UNAVAILABLE",
  "SERVER_IDEMPOTENCY_UNAVAILABLE"
])
const noon = Date.UTC(2026, 2, 10, 12)

describe.each(services)("§7.3 every refusal of every built operation, over %s", (_, ports) => {
  const clock = movableClock(noon)
  const composed = () =>
    Layer.mergeAll(ports(), MemoryLimits.layer, healthy).pipe(Layer.provideMerge(clock.layer))
  let serving: ServedApp<Layer.Success<ReturnType<typeof composed>>>
  const make = (input: Parameters<typeof customer>[0] = {}) => serving.run(customer(input))

  beforeAll(async () => {
    serving = await serve(composed())
    await serving.run(Effect.andThen(fillLibrary, seedRelease))
  })
  afterAll(() => serving.close())

  const send = (id: KeyedId, asked: TestRequest, headers: Readonly<Record<string, string>>) =>
    fetch(`${serving.url}/api/v1${asked.path}`, {
      method: operationRow(id).method,
      headers: { ...asked.headers, ...headers },
      ...(asked.body === undefined ? {} : { body: asked.body })
    })

  /** Puts a key's organization or the key itself where the gate refuses it. */
  const put: Partial<Record<ErrorCode, (id: KeyedId) => Promise<Customer>>> = {
    AUTH_TEST_KEY_SANDBOX_ONLY: (id) => make({ ...optionsFor(id), mode: "test" }),
    AUTH_KEY_REVOKED: (id) => withKey(id, { mark: "revoked" }),
    AUTH_KEY_SUSPENDED: (id) => withKey(id, { mark: "suspended" }),
    AUTH_KEY_EXPIRED: (id) => withKey(id, { expiresAt: "2026-03-10T11:59:59.999Z" as IsoTime }),
    AUTHZ_IP_NOT_ALLOWED: (id) => withKey(id, { allowedCidrs: ["203.0.113.0/24"] }),
    AUTHZ_ORIGIN_NOT_ALLOWED: (id) => withKey(id, { allowedOrigins: ["https://app.example"] }),
    AUTHZ_SCOPE_REQUIRED: (id) => withKey(id, { scopes: [otherScope(id)] }),
    BILLING_FEATURE_REQUIRED: (id) => make({ ...optionsFor(id), pack: "build" }),
    RATE_LIMIT_EXCEEDED: (id) => use(id, ({ perMinute }) => ({ cost: perMinute, times: 1 })),
    RATE_QUOTA_EXCEEDED: async (id) => {
      clock.move(-120_000)
      const found = await use(id, ({ perDay }) => ({ cost: perDay ?? 0, times: 1 }))
      clock.move(120_000)
      return found
    },
    RATE_CONCURRENT_EXCEEDED: (id) => use(id, ({ concurrent }) => ({ cost: 0, times: concurrent })),
    BILLING_CREDITS_EXHAUSTED: async (id) => {
      const found = await make(optionsFor(id))
      await serving.run(spendAll(found, optionsFor(id).pack))
      return found
    }
  }

  const withKey = (id: KeyedId, record: Partial<KeyRecord>) => {
    const input = optionsFor(id)
    return make({ ...input, record: { ...input.record, ...record } })
  }

  const use = async (id: KeyedId, bound: (policy: LimitPolicy) => Used) => {
    const input = optionsFor(id)
    const found = await make(input)
    const own = policyFor(input.pack, null)
    const { cost, times } = bound(own)
    const policy = { ...own, perMinute: Math.max(own.perMinute, cost) }
    await serving.run(
      Effect.gen(function* () {
        const limits = yield* Limits
        yield* Effect.forEach(Array.from({ length: times }), (_unused, index) =>
          limits.acquire({ subject: `org:${found.organizationId}`, requestId: `held${index}`, cost, policy })
        )
      })
    )
    return found
  }

  /** Everything that the pack gives, and no more beyond. */
  const spendAll = ({ organizationId, keyId }: Customer, pack: PackName) =>
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const requestId = `req_0${organizationId.slice(4)}`
      const call = {
        organizationId,
        operation: "lookupCode",
        caller: keyId,
        source: "api",
        atMs: noon
      } as const
      const { monthlyAllowance } = packs[pack]
      yield* (yield* Organizations).change({ organizationId, change: { _tag: "OverageCap", cap: 0 } })
      if (monthlyAllowance > 0)
        yield* ledger.charge({ ...call, requestId: `${requestId}a`, cost: monthlyAllowance })
      yield* ledger.charge({ ...call, requestId, cost: starterCredits })
    })

  /** The first call with the key, as far as it got when another one comes. */
  const beginTurn = (operation: OperationId, { organizationId }: Customer, asked: TestRequest) =>
    Effect.gen(function* () {
      const { sha256Hex } = yield* Crypto
      const subject = `org:${organizationId}`
      const scope = scopeText({ subject, operation, key: idempotencyKey })
      const { path } = operationRow(operation)
      const params = paramsOf(path, asked.path)
      const said = fingerprintText({ path, params, query: {}, body: asked.body ?? "" })
      yield* (yield* Idempotency).begin({ recordId: sha256Hex(scope), fingerprint: sha256Hex(said) })
    })

  const sendFaulty = async (id: KeyedId, code: ErrorCode) => {
    const wanted = faulty[id][code] ?? (code === "PHI_NOT_ALLOWED" ? withIdentifier(sound[id]) : sound[id])
    if (code in keyless) {
      const header = keyless[code]
      return send(id, wanted, header === undefined ? {} : { authorization: header })
    }
    const found = await (put[code] ?? ((asked: KeyedId) => make(optionsFor(asked))))(id)
    const asked = await serving.run(prepareRequest(wanted, found.organizationId))
    const headers = { authorization: `Bearer ${found.key}`, ...extra[code] }
    if (code === "REQUEST_IDEMPOTENCY_CONFLICT") await send(id, otherAsked(asked), headers)
    if (code === "REQUEST_IDEMPOTENCY_IN_PROGRESS") await serving.run(beginTurn(id, found, asked))
    return send(id, asked, headers)
  }

  const rows = built.flatMap((id) =>
    refusalsOf(operationRow(id))
      .filter((code) => !elsewhere.has(code))
      .map((code) => [id, code] as const)
  )

  it.each(rows)(
    "%s answers %s with its row's status, hint, docUrl and request id, and spends nothing at a gate",
    async (id, code) => {
      const response = await sendFaulty(id, code)
      const body = (await response.json()) as ErrorBody
      const row = errorRow(code)
      expect(body.error.code).toBe(code)
      expect(response.status).toBe(row.status)
      expect(body).toMatchObject({ success: false, error: { retryable: row.retryable } })
      // A fault of a field is told by its name.
      const [first] = body.error.details?.fields ?? []
      expect(body.error.message.startsWith(first?.message ?? row.message)).toBe(true)
      expect(body.error.hint.length).toBeGreaterThan(0)
      expect(body.error.docUrl).toBe(`${baseUrl}/docs/errors#${errorAnchor(code)}`)
      expect(body.meta.request_id).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/)
      expect(response.headers.get("x-request-id")).toBe(body.meta.request_id)
      expect(body.meta.timestamp).toMatch(/^2026-03-10T12:/)
      const step11 = code in operationRow(id).refusals && row.status < 500
      const limited = response.headers.has("x-ratelimit-limit")
      expect(limited).toBe(!beforeLimits.has(code) && !isLongUrl(id, code))
      if (limited)
        expect(response.headers.get("x-credits-cost")).toBe(step11 ? String(operationRow(id).credits) : "0")
      expect(response.headers.has("retry-after")).toBe(row.status === 429)
    }
  )

  it.each(built)("%s answers a sound request with 200 and spends its cost", async (id) => {
    const found = await make(optionsFor(id))
    const asked = await serving.run(prepareRequest(sound[id], found.organizationId))
    const response = await send(id, asked, { authorization: `Bearer ${found.key}` })
    expect(response.status).toBe(200)
    const { credits } = operationRow(id)
    const { monthlyAllowance } = packs[optionsFor(id).pack]
    expect(response.headers.get("x-credits-cost")).toBe(String(credits))
    expect(response.headers.get("x-credits-remaining")).toBe(
      String(monthlyAllowance + starterCredits - credits)
    )
  })

  it("every code that a built operation declares was returned", () => {
    const declared = new Set(rows.map(([, code]) => code))
    expect([...declared].toSorted()).toEqual(errorCodes.filter((code) => declared.has(code)).toSorted())
    for (const id of built)
      for (const code of Object.keys(faulty[id])) expect(rows).toContainEqual([id, code])
  })
})

const idempotencyKey = "the client's key"
/** As sound as the request it replaces, and another. */
const otherAsked = (asked: TestRequest): TestRequest =>
  asked.body === undefined
    ? { ...asked, path: `${asked.path}?note=other` }
    : { ...asked, body: otherValues.reduce((body, [one, other]) => body.replace(one, other), asked.body) }

const otherValues = [
  ["E0650", "E0651"],
  ["64493", "64494"],
  ["62323", "62322"],
  ["E0601", "E0470"],
  ["reviewed", "seen"],
  ["[41,", "["],
  ["active", "paused"],
  ["2026-01-01", "2026-01-02"],
  ["ok.", "500."]
] as const

/** What stands where the row's path has names. */
const paramsOf = (template: string, path: string): Readonly<Record<string, string>> => {
  const values = path.split("/")
  return Object.fromEntries(
    template.split("/").flatMap((part, index) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1]
      return name === undefined ? [] : [[name, values[index] ?? ""]]
    })
  )
}

/** Units used of a limit, so many times. */
interface Used {
  readonly cost: number
  readonly times: number
}

/** A name that no operation knows is looked at on all of them. */
const withIdentifier = (asked: TestRequest): TestRequest => ({
  ...asked,
  path: `${asked.path}${asked.path.includes("?") ? "&" : "?"}note=123-45-6789`
})

/** Headers that a code needs besides the key's. */
const extra: Partial<Record<ErrorCode, Readonly<Record<string, string>>>> = {
  AUTHZ_ORIGIN_NOT_ALLOWED: { origin: "https://other.example" },
  REQUEST_IDEMPOTENCY_CONFLICT: { "x-idempotency-key": idempotencyKey },
  REQUEST_IDEMPOTENCY_IN_PROGRESS: { "x-idempotency-key": idempotencyKey }
}

/** Refused before step 5: no limit was looked at. */
const beforeLimits: ReadonlySet<ErrorCode> = new Set(
  errorCodes.filter(
    (code) =>
      code.startsWith("AUTH_") || code === "AUTHZ_IP_NOT_ALLOWED" || code === "AUTHZ_ORIGIN_NOT_ALLOWED"
  )
)

/** The URL itself is refused before any key is read. */
const isLongUrl = (id: KeyedId, code: ErrorCode): boolean =>
  code === "VALIDATION_OUT_OF_RANGE" && (faulty[id][code]?.path.length ?? 0) > 8_192
