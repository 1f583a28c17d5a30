import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { AuditEntry } from "../audit/AuditEntry.ts"
import type { IsoTime } from "../coverage/date.ts"
import type { Actor } from "../person/Person.ts"
import { Audit } from "../port/Audit.ts"
import { Transactions } from "../port/Transactions.ts"

/** What an action of a person's is written down as. */
export type AuditedAction = Pick<AuditEntry, "action" | "subject" | "detail">

/** What an action came to, and how it is written down; null: nothing happened. */
export interface Done<Value> {
  readonly value: Value
  readonly auditedAction: AuditedAction | null
}

/** Appends what a person did where they stand. */
export const append = Effect.fnUntraced(function* (actor: Omit<Actor, "role">, auditedAction: AuditedAction) {
  const { email, personId } = actor.person
  yield* (yield* Audit).append({
    ...auditedAction,
    organizationId: actor.organizationId,
    at: yield* instant,
    actor: { kind: "person", id: personId, label: email }
  })
})

/** An action and its line in the log, both or neither. */
export const withAudit = <Value, E, R>(
  actor: Omit<Actor, "role">,
  action: Effect.Effect<Done<Value>, E, R>
) =>
  Effect.gen(function* () {
    const written = yield* (yield* Transactions).write({
      claim: undefined,
      charge: undefined,
      work: Effect.gen(function* () {
        const { auditedAction, value } = yield* action
        if (auditedAction !== null) yield* append(actor, auditedAction)
        return { _tag: "Keep", value, answer: noAnswer } as const
      })
    })
    // Without a claim and a charge nothing bars a write.
    return written._tag === "Committed" ? written.value : yield* Effect.die(new Error(written._tag))
  })

/** Now, as it is written down. */
export const instant = Effect.map(DateTime.now, (now) => DateTime.formatIso(now) as IsoTime)

const noAnswer = new Uint8Array(0)
