import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import type { Socket } from "node:net"
import { connect, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { Connection } from "../../adapters/postgres/Database.ts"

type Local = Extract<Connection, { readonly folder: string }>

/** When a connection is cut: when the client sends these words, before it hears the answer. */
export interface Cut {
  readonly saying: string
  /** False: the words do not arrive either, and nothing is carried out. */
  readonly arrives?: boolean
  /** Whether anyone may connect again. */
  readonly forGood: boolean
}

/**
 * A way to PostgreSQL that loses an answer when told to: the statement is carried out, its connection then
 * goes. The server is real and has committed; only the client cannot know.
 */
export const severedWay = Effect.fnUntraced(function* (to: Local) {
  const folder = mkdtempSync(join(tmpdir(), "severed-"))
  chmodSync(folder, 0o700)
  const open = new Set<Socket>()
  let armed: Cut | undefined
  let closed = false
  const server = createServer((client) => {
    if (closed) return void client.destroy()
    const store = connect(join(to.folder, ".s.PGSQL.5432"))
    let cutting = false
    for (const socket of [client, store]) {
      open.add(socket)
      socket.on("error", () => socket.destroy()).on("close", () => open.delete(socket))
    }
    client
      .on("data", (said) => {
        if (armed !== undefined && said.includes(armed.saying)) {
          const { arrives, forGood } = armed
          cutting = true
          closed = forGood
          armed = undefined
          if (arrives === false) return void client.destroy()
        }
        store.write(said)
      })
      .on("close", () => store.destroy())
    store.on("data", (answer) => (cutting ? client.destroy() : client.write(answer)))
    store.on("close", () => client.destroy())
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(join(folder, ".s.PGSQL.5432"), () => resume(Effect.void))
    }),
    () =>
      Effect.sync(() => {
        server.close()
        open.forEach((socket) => socket.destroy())
        rmSync(folder, { recursive: true, force: true })
      })
  )
  return {
    way: { ...to, folder },
    cut: (next: Cut) =>
      Effect.sync(() => {
        armed = next
      }),
    /** Whether the client has said what it was to be cut at. */
    wasCut: Effect.sync(() => armed === undefined),
    /** Every connection goes at once, and nobody may connect again. */
    sever: Effect.sync(() => {
      closed = true
      open.forEach((socket) => socket.destroy())
    })
  }
})
