import { existsSync, readFileSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { describe, expect } from "vitest"
import { layer as memoryAddresses } from "../../adapters/memory/Addresses.ts"
import { layer as guarded } from "../../adapters/webhook/Receiver.ts"
import type { Resolution } from "../../core/port/Addresses.ts"
import { Receiver } from "../../core/port/Receiver.ts"
import { isPublicAddress } from "../../core/webhook/address.ts"
import { httpStatusOf, isDelivered } from "../../core/webhook/Outcome.ts"
import { publicTargets } from "../../core/webhook/target.ts"
import { httpReceiver, rawReceiver } from "../kit/receivers.ts"
import type { LocalServer } from "../kit/receivers.ts"

/** Judged cases of outbound safety, which are no part of the project. */
const file = "../shared/data/ssrf-cases.json"

interface Case {
  readonly id: string
  readonly kind: "url" | "address" | "dns" | "rebind" | "http"
  readonly expect: "allow" | "refuse" | "success" | "failure"
  readonly reason: string | null
  readonly input: string
  readonly answers?: ReadonlyArray<string>
  readonly answers_sequence?: ReadonlyArray<ReadonlyArray<string>>
  readonly behaviour?: string
  readonly http_status?: number | null
}
const cases: ReadonlyArray<Case> = existsSync(file)
  ? (JSON.parse(readFileSync(file, "utf8")) as { readonly cases: ReadonlyArray<Case> }).cases
  : []
const ofKind = (...kinds: ReadonlyArray<Case["kind"]>) =>
  cases.filter(({ kind }) => kinds.includes(kind)).map((one) => [one.id, one] as const)

const resolved = (addresses: ReadonlyArray<string>): Resolution => ({ _tag: "Resolved", addresses })
const withNames = (answers: ReadonlyArray<ReadonlyArray<string>>) => {
  const left = [...answers]
  const tell = (): Resolution => resolved((left.length > 1 ? left.shift() : left[0]) ?? [])
  return Effect.provide(Layer.provide(guarded(), memoryAddresses(tell)))
}
const publicAnswer = ["93.184.216.34"]
const message = { headers: {}, body: "{}", deadlineMs: 700 }

const receivers: Readonly<Record<string, Effect.Effect<LocalServer, never, Scope.Scope>>> = {
  ok200: httpReceiver((_, answer) => answer.end("well")),
  redirect302_private: httpReceiver((_, answer) =>
    answer.writeHead(302, { location: "http://127.0.0.1:1/" }).end()
  ),
  redirect307_public: httpReceiver((_, answer) =>
    answer.writeHead(307, { location: "https://hooks.customer.com/" }).end()
  ),
  http410: httpReceiver((_, answer) => answer.writeHead(410).end()),
  http500: httpReceiver((_, answer) => answer.writeHead(500).end()),
  gzip_bomb: httpReceiver((_, answer) =>
    answer.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(8 * 1_024 * 1_024)))
  ),
  drip_body: httpReceiver((_, answer) => {
    answer.writeHead(200)
    const dripping = setInterval(() => answer.write("x"), 100)
    answer.on("close", () => clearInterval(dripping))
  }),
  never_answers: rawReceiver((socket) => socket.resume()),
  huge_headers: rawReceiver((socket) =>
    socket.once("data", () => socket.end(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(100_000)}\r\n\r\n`))
  ),
  garbage_not_http: rawReceiver((socket) => socket.once("data", () => socket.end("garbage\r\n\r\n"))),
  early_hints_flood: rawReceiver((socket) => {
    const hinting = setInterval(() => socket.write("HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n"), 5)
    socket.on("close", () => clearInterval(hinting)).resume()
  })
}

describe("outbound safety: the judged cases", () => {
  it("are read where they are there", () => {
    if (cases.length === 0) console.warn(`${file} is absent: its cases were not judged`)
    expect(cases.every(({ kind, behaviour = "" }) => kind !== "http" || behaviour in receivers)).toBe(true)
  })

  it.each(ofKind("address"))("address %s", (_id, one) => {
    expect(isPublicAddress(one.input)).toBe(one.expect === "allow")
  })

  it.live.each(ofKind("url", "dns"))("url %s", ([, one]) =>
    Effect.gen(function* () {
      const verdict = yield* Effect.flatMap(Receiver, ({ judge }) => judge(one.input)).pipe(
        withNames([one.answers ?? publicAnswer])
      )
      const wanted = one.expect === "allow" ? { _tag: "Allowed" } : { _tag: "Refused", reason: one.reason }
      expect(verdict).toMatchObject(wanted)
    })
  )

  it.live.each(ofKind("rebind"))("rebinding %s", ([, one]) =>
    Effect.gen(function* () {
      const [first, posted] = yield* Effect.flatMap(Receiver, ({ judge, post }) =>
        Effect.all([judge(one.input), post({ ...message, url: one.input })])
      ).pipe(withNames(one.answers_sequence ?? []))
      expect(first).toEqual({ _tag: "Allowed" })
      expect(posted).toEqual({ _tag: "Failed", cause: "blocked", status: null })
    })
  )

  it.live.each(ofKind("http"))("behaviour %s", ([, one]) =>
    Effect.gen(function* () {
      const server = yield* receivers[one.behaviour ?? ""] ?? Effect.die("no such receiver")
      const policy = { ...publicTargets, loopbackPorts: [server.port] }
      const outcome = yield* Effect.flatMap(Receiver, ({ post }) =>
        post({ ...message, url: server.url })
      ).pipe(Effect.provide(Layer.provide(guarded(policy), memoryAddresses())))
      expect(isDelivered(outcome)).toBe(one.expect === "success")
      expect(httpStatusOf(outcome)).toBe(one.http_status ?? null)
    })
  )
})
