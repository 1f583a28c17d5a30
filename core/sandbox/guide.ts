import { examples } from "./examples.ts"
import { sandboxLimits, testKeyLimits } from "../organization/pack.ts"
import type { ReservedRequest } from "./reservedInputs.ts"
import { surfacePrefix } from "../operation/Operation.ts"
import { reservedPrefix } from "./injectFault.ts"
import { reservedDomain, reservedReceivers } from "./receivers.ts"
import { testKeyDays } from "./testKey.ts"

/** How a test key is obtained: by anybody, without an account (§5.6). */
export const keyRequest = examples.createTestKey

/** The same request with every error, wherever the reserved value stands. */
export const anyError: ReservedRequest = {
  method: "GET",
  path: `${surfacePrefix.sandbox}/jurisdictions?anything=${reservedPrefix}SERVER_TIMEOUT`,
  authorization: "own"
}

const rankOf = (label: string): number => (label === "ok" ? 0 : /^\d/.test(label) ? 2 : 1)

/** The hosts with a meaning, and what each does. */
export const receiverRows: ReadonlyArray<readonly [string, string]> = Object.entries(reservedReceivers)
  // A name of digits alone would come first whatever its place.
  .toSorted(([one], [other]) => rankOf(one) - rankOf(other))
  .map(([label, { says }]) => [`${label}.${reservedDomain}`, says])

/** What the documentation says of the sandbox, wherever it is shown; every number from its own table. */
export const guide = {
  nature: [
    `Every operation under ${surfacePrefix.live} is also under ${surfacePrefix.sandbox}: the same checks, limits, ` +
      "headers and answers, over invented policies and codes. No account is needed and no credit is spent.",
    `A test key opens it for ${testKeyDays} days, with ${sandboxLimits.perMinute} cost units a minute and ` +
      `${sandboxLimits.concurrent} calls in flight. One address gets ${testKeyLimits.perMinute} keys a minute. ` +
      "What a key writes is seen by that key alone and goes with it. Nothing is ever sent out.",
    "The body of the key's request is optional: `scopes` are `read` and `write` with the features of the Scale " +
      "pack, or as you list them; `certified:derived_decision:read` stands alone and comes with the release of " +
      "the fixtures. Authorization is ignored, and each call makes a new key: X-Idempotency-Key repeats none."
  ],
  receivers: [
    "Webhooks are sent to nobody. A URL is judged by its text and, where its host is one, its address, without a " +
      "look-up; tests are answered and deliveries attempted, on the schedule of the real ones, by a receiver that " +
      "is part of the service. What it does follows from the host:",
    "Any other host is like the first. Rows of an endpoint are its test key's own and go with it."
  ],
  provoking: [
    `A value that is exactly \`${reservedPrefix}\` and an error's code provokes that error on any operation: in the ` +
      "path, in any parameter of the query whatever its name, or in any text of a JSON body at any depth. The " +
      "schema does not see it, so it may stand where a number is expected or in a closed object.",
    "The order of checks holds: a call without a key is AUTH_MISSING whatever it provokes, and what would refuse " +
      "before the injected check does. An injected limit has its headers and counts nothing; an injected error of " +
      "the operation itself is kept under its X-Idempotency-Key like a real one. SERVER_TIMEOUT answers at once."
  ]
} as const
