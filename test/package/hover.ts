import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: unknown
  readonly result?: { readonly contents?: { readonly value?: string } } | null
}

/**
 * Returns the text that the compiler's language server shows for the last occurrence of each word in a file.
 * A text without a doc comment ends with the type, and one with a comment ends with a period.
 */
export const hoverTexts = async (
  compiler: string,
  file: string,
  words: ReadonlyArray<string>
): Promise<Readonly<Record<string, string>>> => {
  const server = spawn(compiler, ["--lsp", "-stdio"], { stdio: ["pipe", "pipe", "ignore"] })
  const { notify, request } = connection(server.stdin, server.stdout)
  const text = readFileSync(file, "utf8")
  const uri = pathToFileURL(file).href
  await request("initialize", { processId: process.pid, rootUri: null, capabilities: {} })
  notify("initialized", {})
  notify("textDocument/didOpen", { textDocument: { uri, languageId: "typescript", version: 1, text } })
  const texts: Record<string, string> = {}
  for (const word of words) {
    const before = text.slice(0, text.lastIndexOf(word)).split("\n")
    const position = { line: before.length - 1, character: (before.at(-1)?.length ?? 0) + 1 }
    const { result } = await request("textDocument/hover", { textDocument: { uri }, position })
    texts[word] = result?.contents?.value ?? ""
  }
  server.kill()
  return texts
}

/** JSON-RPC over two streams, with a Content-Length header before each message. */
const connection = (output: NodeJS.WritableStream, input: NodeJS.ReadableStream) => {
  const waiting = new Map<number, (message: Message) => void>()
  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message })
    output.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  const receive = (message: Message): void => {
    if (message.id === undefined) return
    // A request of the server's own, such as for the configuration, gets an empty answer.
    if (message.method === undefined) waiting.get(message.id)?.(message)
    else send({ id: message.id, result: null })
  }
  let received = Buffer.alloc(0)
  input.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    for (let end = received.indexOf("\r\n\r\n"); end >= 0; end = received.indexOf("\r\n\r\n")) {
      const length = Number(/Content-Length: (\d+)/i.exec(received.subarray(0, end).toString())?.[1])
      if (received.length < end + 4 + length) return
      const body = received.subarray(end + 4, end + 4 + length).toString()
      received = received.subarray(end + 4 + length)
      receive(JSON.parse(body) as Message)
    }
  })
  let last = 0
  const request = (method: string, params: object) =>
    new Promise<Message>((resolve) => {
      last += 1
      waiting.set(last, resolve)
      send({ id: last, method, params })
    })
  return { request, notify: (method: string, params: object) => send({ method, params }) }
}
