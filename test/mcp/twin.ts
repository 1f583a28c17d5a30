import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"

/**
 * A twin of /mcp that asks for no token, for clients that bring none: it stands before a server of the tests
 * and adds the token to whatever comes, Host and Origin left as they are. Nothing of the product can do this.
 */
export const twinOf = async (url: string, token: string) => {
  const { hostname, port } = new URL(url)
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` }
    const { method = "GET", url: path = "/" } = incoming
    const onward = request({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on("error", () => outgoing.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    }
  }
}
