import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { policyFor } from "../../core/limit/policy.ts"
import { leaseMs } from "../../core/limit/slots.ts"
import { Limits } from "../../core/port/Limits.ts"
import { customer } from "../http/harness.ts"
import type { Customer } from "../http/harness.ts"
import type { CallResult } from "./calling.ts"
import { call, quantile, readPath, say, tally, underLoad, until } from "./calling.ts"
import { patiently } from "./patiently.ts"
import type { RunningServer } from "./server.ts"
import { openSite } from "./site.ts"
import type { Site } from "./site.ts"

/** How often the server is killed, and the writes in all; in full 20 and 1,500. */
const rounds = Number(process.env["COVERAGE_FAULT_ROUNDS"] ?? 5)
const writes = Number(process.env["COVERAGE_FAULT_WRITES"] ?? (rounds >= 20 ? 1_500 : 400))
const writers = 24
const writingOrganizations = 12
const readers = 8
/** Each reader has an organization of its own, and stays far below its limit. */
const readPauseMs = 120
const cost = 4
/** A client waits 1 + 2 + 4 s in all, and is answered at once then; the rest is for a busy machine. */
const roundMsMax = 7_000 + 8_000

describe("§4.6.2 the server is killed with -9 in the middle of idempotent writes", () => {
  let site: Site
  let server: RunningServer
  let port = "0"
  const starts: Array<number> = []
  let owners: ReadonlyArray<Customer> = []
  let watchers: ReadonlyArray<Customer> = []
  const start = async () => {
    const beganMs = performance.now()
    server = await site.start({ PORT: port })
    starts.push(performance.now() - beganMs)
    port = new URL(server.url).port
  }
  beforeAll(async () => {
    site = await openSite()
    await start()
    const one = customer({ pack: "scale" })
    const some = (count: number) => Effect.forEach(Array.from({ length: count }), () => one)
    owners = await site.run(some(writingOrganizations))
    watchers = await site.run(some(readers))
  })
  afterAll(() => site.close())

  const ownerOf = (write: number) => owners[write % owners.length] as Customer
  const ask = (write: number) =>
    call(`${server.url}/api/v1/codes/batch`, ownerOf(write).key, {
      method: "POST",
      headers: { "x-idempotency-key": `write ${write}` },
      body: JSON.stringify({ codes: ["E0601", `Q${write}`] })
    })

  /** Does these writes as patiently as a client must, and kills the server when some are acknowledged. */
  const round = async (batch: ReadonlyArray<number>, killAfter: number, kill: () => Promise<void>) => {
    const waiting = [...batch]
    const done = new Map<number, ReadonlyArray<CallResult>>()
    const writer = async () => {
      for (let write = waiting.shift(); write !== undefined; write = waiting.shift()) {
        const number = write
        done.set(number, await patiently(() => ask(number)))
      }
    }
    const all = Promise.all(Array.from({ length: writers }, writer))
    await until(() => done.size >= killAfter, roundMsMax)
    await kill()
    await all
    return done
  }

  /** Plain reads beside, and how many of them were in flight at the kills. */
  const reading = () => {
    const seen = { flying: 0, atKills: 0 }
    const load = underLoad(readers, readPauseMs, async (reader) => {
      seen.flying += 1
      return call(server.url + readPath, watchers[reader]?.key ?? "").finally(() => (seen.flying -= 1))
    })
    return { seen, load }
  }

  const done = new Map<number, ReadonlyArray<CallResult>>()
  const reads = { acknowledged: 0, atKills: 0 }
  it(
    `§7.4 ${rounds} kills in ${writes} writes: every client is told 200 within its three retries`,
    async () => {
      const { seen, load } = reading()
      for (let nth = 0; nth < rounds; nth++) {
        const batch = everyWrite.filter((write) => write % rounds === nth)
        const killAfter = Math.ceil(((nth + 1) / (rounds + 2)) * (batch.length - writers))
        const told = await round(batch, killAfter, async () => {
          seen.atKills += seen.flying
          await server.end("SIGKILL")
          await start()
        })
        for (const [write, answers] of told) done.set(write, answers)
      }
      reads.acknowledged = (await load.end()).filter(({ status }) => status === 200).length
      reads.atKills = seen.atKills
      const retried = [...done.values()].filter((answers) => answers.length > 1)
      say(storyOf([...done.values()], retried))
      say(`a start takes ${quantile(starts, 0.5).toFixed(0)} ms, ${quantile(starts, 1).toFixed(0)} at most`)
      expect([...done.values()].filter((answers) => answers.at(-1)?.status !== 200)).toEqual([])
      expect(done.size).toBe(writes)
      // A run in which no kill met a write would show nothing.
      expect(retried.length).toBeGreaterThanOrEqual(rounds)
    },
    rounds * roundMsMax + 20_000
  )

  it("§4.6.2 a repeat of every write is the answer its client was given", async () => {
    const unlike: Array<number> = []
    const answers = await round(Array.from(done.keys()), 0, () => Promise.resolve())
    for (const [write, [again]] of answers) {
      const first = done.get(write)?.at(-1)
      expect(again?.body.meta).toMatchObject({ cached: true, idempotency_key: `write ${write}` })
      expect(again?.headers.get("x-credits-cost")).toBe("0")
      if (JSON.stringify(again?.body.data) !== JSON.stringify(first?.body.data)) unlike.push(write)
      if (!JSON.stringify(first?.body.data).includes(`Q${write}`)) unlike.push(write)
    }
    expect(unlike).toEqual([])
  }, 60_000)

  it("§8.3 acknowledged = charged = stored, and every balance is its ledger's", async () => {
    for (const [nth, { organizationId }] of owners.entries()) {
      const own = [...done.keys()].filter((write) => write % owners.length === nth).length
      expect(balanced(await site.statement(organizationId))).toMatchObject({
        charged: own * cost,
        refunded: 0
      })
    }
    const stored = await site.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const records = yield* sql`select state, count(*)::int as records from idempotency group by state`
        const used = yield* sql`select count(*)::int as rows, sum(cost)::int as costs from usage
          where operation = 'batchCodes' and status = 200`
        return { records, used }
      })
    )
    expect(stored.records).toEqual([{ state: "done", records: writes }])
    expect(stored.used).toEqual([{ rows: writes, costs: writes * cost }])
  })

  it("contract §1 reads: what was charged and not acknowledged was in flight at a kill", async () => {
    let net = 0
    for (const { organizationId } of watchers) {
      const { charged, refunded } = balanced(await site.statement(organizationId))
      net += charged - refunded
    }
    say(`${reads.acknowledged} reads acknowledged, ${net} charged, ${reads.atKills} in flight at the kills`)
    expect(net - reads.acknowledged).toBeGreaterThanOrEqual(0)
    expect(net - reads.acknowledged).toBeLessThanOrEqual(reads.atKills)
  })

  it(
    "contract §1 no slot stays taken: after a lease's time an organization has all of them",
    async () => {
      const policy = { ...policyFor("scale", null), concurrent: 1 }
      const isFree = ({ organizationId }: Customer) =>
        Effect.gen(function* () {
          const limits = yield* Limits
          const subject = `org:${organizationId}`
          const entry = { subject, requestId: `req_${organizationId}`, cost: 1, policy }
          const decision = yield* limits.acquire(entry)
          yield* limits.release(entry)
          return decision._tag === "Admitted"
        })
      for (const each of [...owners, ...watchers]) await until(() => site.run(isFree(each)), leaseMs)
    },
    2 * leaseMs
  )
})

const everyWrite = Array.from({ length: writes }, (_, write) => write)

const storyOf = (
  all: ReadonlyArray<ReadonlyArray<CallResult>>,
  retried: ReadonlyArray<ReadonlyArray<CallResult>>
): string => {
  const met = tally(all.flat().map(({ status, code }) => code || String(status)))
  const kept = retried.filter((answers) => answers.at(-1)?.body.meta?.["cached"] === true).length
  return (
    `${all.length} writes, ${rounds} kills: ${JSON.stringify(met)} (0: the connection failed); ` +
    `${retried.length} were retried: ${kept} had been committed, ${retried.length - kept} had not`
  )
}

interface Sums {
  readonly granted: number
  readonly charged: number
  readonly refunded: number
  readonly expired: number
  readonly balance: number
}

const balanced = <Told extends Sums>(statement: Told): Told => {
  const { balance, charged, expired, granted, refunded } = statement
  expect(granted - charged + refunded - expired).toBe(balance)
  return statement
}
