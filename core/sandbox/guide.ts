import { sandboxLimits, testKeyLimits } from "../organization/pack.ts"
import type { ProvokingRequest } from "./Provocation.ts"
import { surfacePrefix } from "../operation/Operation.ts"
import { provokingPrefix } from "./provoke.ts"
import { testKeyDays } from "./testKey.ts"

/** How a test key is got: by anybody, without an account (§5.6). */
export const keyRequest: ProvokingRequest = {
  method: "POST",
  path: `${surfacePrefix.sandbox}/keys`,
  authorization: "none"
}

/** The same request with every error, wherever the reserved value stands. */
export const anyError: ProvokingRequest = {
  method: "GET",
  path: `${surfacePrefix.sandbox}/jurisdictions?anything=${provokingPrefix}SERVER_TIMEOUT`,
  authorization: "own"
}

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
  provoking: [
    `A value that is exactly \`${provokingPrefix}\` and an error's code provokes that error on any operation: in the ` +
      "path, in any parameter of the query whatever its name, or in any text of a JSON body at any depth. The " +
      "schema does not see it, so it may stand where a number is expected or in a closed object.",
    "The order of checks holds: a call without a key is AUTH_MISSING whatever it provokes, and what would refuse " +
      "before the provoked check does. A provoked limit has its headers and counts nothing; a provoked error of " +
      "the operation itself is kept under its X-Idempotency-Key like a real one. SERVER_TIMEOUT answers at once."
  ]
} as const
