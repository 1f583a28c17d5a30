import { Agent, request } from "node:http"
import { connect } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { customer } from "../http/harness.ts"
import { pause, readPath, say, tally } from "./calling.ts"
import { openSite } from "./site.ts"
import type { Site } from "./site.ts"

/** How often the server is ended; in full 20. */
const rounds = Number(process.env["COVERAGE_FAULT_ROUNDS"] ?? 5)
const callers = 16
const endMsMax = 2_000

describe("contract §1 SIGTERM under keep-alive load", () => {
  let site: Site
  beforeAll(async () => {
    site = await openSite()
  })
  afterAll(() => site.close())

  /** Calls over kept connections until the server is gone; what became of each call. */
  const caller = async (url: string, key: string, pauseMs: number): Promise<ReadonlyArray<string>> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const outcomes: Array<string> = []
    for (;;) {
      const outcome = await callOver(agent, url, key)
      outcomes.push(outcome)
      if (outcome === "ECONNREFUSED") break
      await pause(pauseMs)
    }
    agent.destroy()
    return outcomes
  }

  it.each([0, 1])(
    `no caller meets a reset in ${rounds} ends, beside a connection that says nothing; DRAIN_SECONDS=%d`,
    async (drainSeconds) => {
      const { key } = await site.run(customer({ pack: "scale" }))
      const told: Array<string> = []
      const ends: Array<number> = []
      let port = "0"
      for (let round = 0; round < rounds; round++) {
        const server = await site.start({ PORT: port, DRAIN_SECONDS: String(drainSeconds) })
        port = new URL(server.url).port
        const all = Array.from({ length: callers }, (_, nth) => caller(server.url, key, nth * 4))
        const silent = connect({ port: Number(port), host: "127.0.0.1" }).on("error", () => undefined)
        await pause(300 + round * 13)
        const beganMs = performance.now()
        expect(await server.end("SIGTERM")).toBe(0)
        ends.push(performance.now() - beganMs)
        silent.destroy()
        told.push(...(await Promise.all(all)).flat())
      }
      const tallied = tally(told)
      say(
        `${told.length} calls: ${JSON.stringify(tallied)}; the ends took at most ${Math.max(...ends).toFixed(0)} ms`
      )
      // 429: a flood beyond the limit is an answer too.
      expect(Object.keys(tallied).toSorted()).toEqual(expect.arrayContaining(["200", "ECONNREFUSED"]))
      expect(Object.keys(tallied).filter((word) => !["200", "429", "ECONNREFUSED"].includes(word))).toEqual(
        []
      )
      expect(Math.max(...ends)).toBeLessThan(endMsMax + drainSeconds * 1_000)
    },
    30_000 + rounds * 10_000
  )
})

const callOver = (agent: Agent, url: string, key: string): Promise<string> =>
  new Promise((resolve) => {
    const outgoing = request(
      url + readPath,
      { agent, headers: { authorization: `Bearer ${key}` } },
      (answer) => {
        answer.resume()
        answer.once("end", () => resolve(String(answer.statusCode)))
        answer.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "error"))
      }
    )
    outgoing.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "error"))
    outgoing.end()
  })
