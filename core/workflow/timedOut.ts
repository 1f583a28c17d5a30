import { refused } from "../error/Refusal.ts"
import { refuse, seal } from "./reply.ts"
import type { Answer, Envelope } from "./reply.ts"

/**
 * The answer of a call that met its deadline (contract §1: SERVER_TIMEOUT). What was charged by then is given
 * back behind the caller's back, so it names no balance.
 */
export const timedOut = (envelope: Envelope): Answer => {
  const { "x-credits-cost": cost, "x-credits-remaining": _, ...headers } = envelope.headers
  const told = cost === undefined ? headers : { ...headers, "x-credits-cost": "0" }
  return seal({ ...envelope, headers: told }, refuse(envelope, refused("SERVER_TIMEOUT")))
}
