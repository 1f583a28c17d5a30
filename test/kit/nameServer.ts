import { createSocket } from "node:dgram"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** What a name server says: addresses of each family, or why it says none; `silent` says nothing at all. */
export type NameAnswer =
  | { readonly four: ReadonlyArray<string>; readonly six: ReadonlyArray<string> }
  | "no_such_name"
  | "server_failure"
  | "silent"

/** A name server on the loopback, while its scope lasts; gives its `address:port`. */
export const nameServer = (
  answer: (name: string) => NameAnswer
): Effect.Effect<string, never, Scope.Scope> => {
  const socket = createSocket("udp4")
  socket.on("message", (query, peer) => {
    const { name, type, end } = questionOf(query)
    const said = answer(name)
    if (said !== "silent") socket.send(reply({ query, type, end }, said), peer.port, peer.address)
  })
  return Effect.acquireRelease(
    Effect.callback<string>((resume) => {
      socket.bind(0, "127.0.0.1", () => resume(Effect.succeed(`127.0.0.1:${socket.address().port}`)))
    }),
    () => Effect.callback<void>((resume) => void socket.close(() => resume(Effect.void)))
  )
}

const questionOf = (query: Buffer) => {
  const labels: Array<string> = []
  let place = 12
  for (let length = query[place] ?? 0; length > 0; length = query[place] ?? 0) {
    labels.push(query.toString("latin1", place + 1, place + 1 + length))
    place += length + 1
  }
  return { name: labels.join("."), type: query.readUInt16BE(place + 1), end: place + 5 }
}

const recordTypes = { four: 1, six: 28 } as const
const failures = { no_such_name: 3, server_failure: 2 } as const

const reply = (
  { query, type, end }: { readonly query: Buffer; readonly type: number; readonly end: number },
  said: Exclude<NameAnswer, "silent">
): Buffer => {
  const code = typeof said === "string" ? failures[said] : 0
  const records = typeof said === "string" ? [] : recordsOf(said, type)
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(0x8180 | code, 2)
  header.writeUInt16BE(records.length, 6)
  header.writeUInt16BE(0, 10)
  return Buffer.concat([header, query.subarray(12, end), ...records])
}

const recordsOf = (
  { four, six }: Extract<NameAnswer, { readonly four: unknown }>,
  type: number
): ReadonlyArray<Buffer> => {
  if (type === recordTypes.four)
    return four.map((address) => record(type, Buffer.from(address.split(".").map(Number))))
  if (type !== recordTypes.six) return []
  return six.map((address) => record(type, Buffer.from(address.replaceAll(":", ""), "hex")))
}

/** The name by a pointer to the question, a class of IN, and no time to live. */
const record = (type: number, address: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, address.length]), address])
