import { mkdtempSync, rmSync } from "node:fs"
import type { Server, Socket } from "node:net"
import { connect, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { Connection } from "../../adapters/postgres/Database.ts"
import { socketName } from "../../adapters/postgres/embedded/socket.ts"

/** Cut before the server sees the statement, or after it answered and before the client hears of it. */
export type Moment = "before" | "after"

/** A way to the same database that loses the connection at the first statement that contains `text`. */
export const cutAt = (connection: Connection, text: string, moment: Moment) =>
  Effect.gen(function* () {
    if ("url" in connection) return yield* Effect.die("only a socket can be relayed")
    const { folder } = yield* Effect.acquireRelease(
      Effect.promise(() => relay(connection.folder, text, moment)),
      (made) =>
        Effect.sync(() => {
          made.server.close()
          rmSync(made.folder, { recursive: true })
        })
    )
    return { ...connection, folder }
  })

const relay = async (to: string, text: string, moment: Moment) => {
  const folder = mkdtempSync(join(tmpdir(), "cut-"))
  const server: Server = createServer((client) => carry(client, connect(join(to, socketName)), text, moment))
  await new Promise<void>((resolve) => server.listen(join(folder, socketName), resolve))
  return { folder, server }
}

const carry = (client: Socket, store: Socket, text: string, moment: Moment) => {
  let cut = false
  const end = () => {
    client.destroy()
    store.destroy()
  }
  client.on("data", (chunk) => {
    cut ||= chunk.includes(text)
    if (cut && moment === "before") return end()
    store.write(chunk)
  })
  store.on("data", (chunk) => (cut ? end() : client.write(chunk)))
  for (const socket of [client, store]) socket.on("error", end).on("close", end)
}
