import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import type { Socket } from "node:net"
import { connect, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { Connection } from "../../adapters/postgres/Database.ts"
import { socketName } from "../../adapters/postgres/embedded/socket.ts"

type Local = Extract<Connection, { readonly folder: string }>

/** Carried, carried nowhere while it seems open, or cut with nobody let in again. */
export type Carriage = "through" | "silent" | "refused"

/**
 * A way to PostgreSQL that treats one kind of connection apart: those whose first words contain `saying`. The
 * others are carried whatever happens.
 */
export const mutedWay = Effect.fnUntraced(function* (to: Local, saying: string) {
  const folder = mkdtempSync(join(tmpdir(), "muted-"))
  chmodSync(folder, 0o700)
  const chosen = new Set<Socket>()
  const all = new Set<Socket>()
  let carriage: Carriage = "through"
  const server = createServer((client) => {
    const store = connect(join(to.folder, socketName))
    let isChosen = false
    for (const [from, into] of [
      [client, store],
      [store, client]
    ] as const) {
      all.add(from)
      from
        .on("error", () => from.destroy())
        .on("close", () => {
          all.delete(from)
          chosen.delete(from)
          into.destroy()
        })
      from.on("data", (said) => {
        if (!isChosen || carriage === "through") into.write(said)
      })
    }
    client.prependOnceListener("data", (said) => {
      isChosen = said.includes(saying)
      if (isChosen && carriage === "refused") client.destroy()
      else if (isChosen) chosen.add(client)
    })
  })
  const listen = Effect.callback<void>((resume) => {
    server.listen(join(folder, socketName), () => resume(Effect.void))
  })
  yield* Effect.acquireRelease(listen, () =>
    Effect.sync(() => {
      server.close()
      all.forEach((socket) => socket.destroy())
      rmSync(folder, { recursive: true, force: true })
    })
  )
  const carry = (next: Carriage) =>
    Effect.sync(() => {
      carriage = next
      if (next === "refused") chosen.forEach((socket) => socket.destroy())
    })
  return { way: { ...to, folder }, carry }
})
