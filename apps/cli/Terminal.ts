import * as Context from "effect/Context"

/** What a command reads and writes, and the environment it was called in: the process's own, or a test's. */
export interface Streams {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean; readonly destroy: () => unknown }
  readonly stdout: Output
  readonly stderr: Output
}

interface Output extends NodeJS.WritableStream {
  readonly isTTY?: boolean
  /** The width of a terminal, characters. */
  readonly columns?: number
}

/** The streams of the command that runs. */
export const Terminal = Context.Reference<Streams>("coverage-policy/cli/Terminal", {
  defaultValue: () => ({
    environment: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr
  })
})
