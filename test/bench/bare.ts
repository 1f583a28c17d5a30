import { createServer } from "node:http"

/**
 * What every figure is compared with: node:http answering a JSON text of the size of a policy, and nothing
 * else.
 */
const body = JSON.stringify({ success: true, data: { text: "x".repeat(Number(process.argv[2] ?? 1_000)) } })
const headers = {
  "content-type": "application/json; charset=utf-8",
  "content-length": Buffer.byteLength(body)
}

const server = createServer((_, response) => {
  response.writeHead(200, headers)
  response.end(body)
})
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  process.stdout.write(`listening on http://127.0.0.1:${typeof address === "object" ? address?.port : ""}\n`)
})
process.on("SIGTERM", () => process.exit(0))
