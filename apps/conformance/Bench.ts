import { certifiedScope } from "../../core/operation/scope.ts"
import { surfacePrefix } from "../../core/operation/Operation.ts"
import { sandboxLimits } from "../../core/organization/pack.ts"
import { at, patiently } from "./request.ts"
import type { Ask } from "./request.ts"

/** What the checks of the sandbox work with. */
export interface Bench {
  readonly ask: Ask
  /** A test key with so many units left of its minute, and the scope requested; `another` is never `mine`. */
  readonly keyFor: (kind: Kind, units: number, whose?: "mine" | "another") => Promise<string>
}

export type Kind = "own" | "certified"

/**
 * Younger keys only: what such a key has used is still counted, so figures of two answers can be compared.
 */
const keyAgeMsMax = 40_000

interface Held {
  readonly key: string
  readonly madeAtMs: number
  left: number
}

/** Test keys are made as they are used up, since each has a minute of its own and nothing else is shared. */
export const makeBench = (ask: Ask, say: (sentence: string) => void): Bench => {
  const held = new Map<string, Held>()
  const make = async (kind: Kind): Promise<Held> => {
    const { json, status } = await patiently(ask, say)(keyRequests[kind])
    const key = at(json, "data", "key")
    if (typeof key !== "string") throw new Error(`the sandbox gives no test key: ${status} ${code(json)}`)
    return { key, madeAtMs: performance.now(), left: sandboxLimits.perMinute }
  }
  const keyFor: Bench["keyFor"] = async (kind, units, whose = "mine") => {
    const last = held.get(kind + whose)
    const isGood = last !== undefined && last.left >= units && performance.now() - last.madeAtMs < keyAgeMsMax
    const taken = isGood ? last : await make(kind)
    taken.left -= units
    held.set(kind + whose, taken)
    return taken.key
  }
  return { ask, keyFor }
}

const code = (json: unknown): string => String(at(json, "error", "code") ?? "")

const keys = { method: "POST", path: `${surfacePrefix.sandbox}/keys` } as const
const keyRequests = {
  own: keys,
  certified: {
    ...keys,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ scopes: [certifiedScope] })
  }
} as const
