import type { StoreFault } from "../../core/error/StoreFault.ts"

/** Why Redis did not decide: a port's word for it, and its own. */
export interface Failure {
  readonly fault: StoreFault
  /** Redis's own code (`READONLY`), or the fault; the client's message may hold keys, so nobody sees it. */
  readonly reason: string
}

/** The message of the error that a command without an answer fails with. */
export const timedOut = "Command timed out"

/** A rejected command in a port's words; `refused` is why the server let no connection in, if it said so. */
export const failureOf = (error: unknown, refused?: string): Failure => {
  const unreachable = { fault: "unreachable", reason: refused ?? "unreachable" } as const
  if (!(error instanceof Error)) return unreachable
  if (error.message === timedOut) return { fault: "timeout", reason: "timeout" }
  if (error.name !== "ReplyError") return unreachable
  return repliedFailure(error.message)
}

/** An error that Redis repliedFailure, or that a script met. */
export const repliedFailure = (message: string): Failure => {
  const reason = /^[A-Z]+(?= )/.exec(message)?.[0] ?? "ERR"
  return { fault: notServing.has(reason) ? "unreachable" : "refused", reason }
}

/**
 * A server that answers nobody: it is loading its data, cut off, stuck in a script, out of memory, a replica,
 * asked without its password, or a node of a cluster that is asked as if it were alone.
 */
const notServing: ReadonlySet<string> = new Set([
  "ASK",
  "BUSY",
  "CLUSTERDOWN",
  "CROSSSLOT",
  "LOADING",
  "MASTERDOWN",
  "MISCONF",
  "MOVED",
  "NOAUTH",
  "NOPERM",
  "NOREPLICAS",
  "OOM",
  "READONLY",
  "TRYAGAIN",
  "WRONGPASS"
])

/** The word of an error that came with a connection (`NOAUTH`); undefined: the server did not say. */
export const refusalIn = ({ message }: Error): string | undefined =>
  message.split(/[ :]/).find((word) => notServing.has(word))
