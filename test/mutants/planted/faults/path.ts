import type { Fault, Group } from "../Fault.ts"

/** Mistakes against each promise of the one path of every call (core/call). */
const ofThePath: ReadonlyArray<Fault> = [
  {
    says: "counts a call from an address that the key does not list",
    file: "core/call/pipeline.ts",
    sound: `{ at: 4, name: "allow-lists", step: check(allowLists) },
      { at: 5, name: "limits", step: yield* makeLimitsStep },`,
    faulty: `{ at: 5, name: "limits", step: yield* makeLimitsStep },
      { at: 4, name: "allow-lists", step: check(allowLists) },`
  },
  {
    says: "asks for the plan before the scope",
    file: "core/call/pipeline.ts",
    sound: `{ at: 6, name: "scope", step: check(scope) },
      { at: 7, name: "plan", step: check(plan) },`,
    faulty: `{ at: 7, name: "plan", step: check(plan) },
      { at: 6, name: "scope", step: check(scope) },`
  },
  {
    says: "charges a call whose scope is not enough",
    file: "core/call/checks.ts",
    sound: "if (requirement !== null && !party.may[requirement])",
    faulty: "if (requirement !== null && requirement === undefined)"
  },
  {
    says: "charges a write besides its commit",
    file: "core/call/charge.ts",
    sound: "if (isInItsCommit(call)) return next(call)",
    faulty: ""
  },
  {
    says: "runs a call that cannot be paid",
    file: "core/call/charge.ts",
    sound: 'if (decision._tag === "Exhausted") return Effect.succeed(creditsExhausted(call, decision))',
    faulty: ""
  },
  {
    says: "gives nothing back for a 5xx",
    file: "core/call/charge.ts",
    sound: "status >= 500 ? Effect.andThen(giveBack(call, charge), ended) : ended",
    faulty: "ended"
  },
  {
    says: "gives back what was answered with 404",
    file: "core/call/charge.ts",
    sound: "return status >= 500",
    faulty: "return status >= 404"
  },
  {
    says: "keeps the slot of a call that ended",
    file: "core/call/checks.ts",
    sound: '(decision._tag === "Admitted" ? limits.release(entry) : Effect.void)',
    faulty: "Effect.void"
  },
  {
    says: "goes on with a call that the limits refused",
    file: "core/call/checks.ts",
    sound: `if (decision._tag === "Refused") return Effect.succeed(refusedBy(call, decision))
          recordLimits(call, decision)`,
    faulty: "recordLimits(call, decision)"
  },
  {
    says: "keeps a 5xx under its idempotency key",
    file: "core/call/writing.ts",
    sound: "statusOf(reply) < 500 && ",
    faulty: ""
  },
  {
    says: "lets a sandbox call have the refusal of a step that it did not reach",
    file: "core/call/faultInjection.ts",
    sound: "step === at || (at === 2 && step < at)",
    faulty: "at === 2"
  }
]

/** The one path of every call. */
export const path: Group = {
  faults: ofThePath,
  tests: [
    "test/core/idempotencyWorkflow.test.ts",
    "test/http/order.test.ts",
    "test/http/refusals.test.ts",
    "test/http/limits.test.ts",
    "test/http/serverFaults.test.ts",
    "test/http/sandboxFaults.test.ts"
  ]
}
