import { once } from "node:events"
import { connect } from "node:net"
import { expect, it } from "vitest"
import { serve } from "./serving.ts"

it.each(["/oauth/token", "/oauth/register", "/oauth/revoke"])(
  "a client that disconnects within the body of %s does not keep the server from closing",
  async (path) => {
    const serving = await serve()
    const { hostname, port } = new URL(serving.url)
    const socket = connect(Number(port), hostname)
    await once(socket, "connect")
    const head = [`POST ${path} HTTP/1.1`, "Host: localhost", "Content-Length: 5000"]
    const type = path.endsWith("register") ? "application/json" : "application/x-www-form-urlencoded"
    socket.write(`${[...head, `Content-Type: ${type}`].join("\r\n")}\r\n\r\ngrant_type=a`)
    await new Promise((resolve) => setTimeout(resolve, 500))
    socket.destroy()
    await new Promise((resolve) => setTimeout(resolve, 500))
    const startedMs = performance.now()
    await serving.close()
    expect(performance.now() - startedMs).toBeLessThan(5_000)
  },
  40_000
)
