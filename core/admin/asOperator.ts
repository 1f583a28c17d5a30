import * as Effect from "effect/Effect"
import type { AuditEntry } from "../audit/AuditEntry.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { Audit } from "../port/Audit.ts"
import { Transactions } from "../port/Transactions.ts"
import { instant } from "./withAudit.ts"

/** What the operator did to an organization, as its log tells it. */
export type OperatorAction = Pick<AuditEntry, "organizationId" | "action" | "subject" | "detail">

/**
 * What the operator does from the command line, and its line in the organization's log, both or neither;
 * `toldOf` says undefined where nothing happened.
 */
export const asOperator = <Value, E, R>(
  action: Effect.Effect<Value, E, R>,
  toldOf: (value: Value) => OperatorAction | undefined
) =>
  Effect.gen(function* () {
    const { append } = yield* Audit
    const written = yield* (yield* Transactions).write({
      claim: undefined,
      charge: undefined,
      work: Effect.gen(function* () {
        const value = yield* action
        const told = toldOf(value)
        if (told !== undefined) yield* append({ ...told, at: yield* instant, actor: { kind: "operator" } })
        return { _tag: "Keep", value, answer: noAnswer } as const
      })
    })
    // Without a claim and a charge nothing bars a write.
    return written._tag === "Committed" ? written.value : yield* Effect.die(new Error(written._tag))
  })

/** A change of pack; undefined: there is no such organization. */
export const packChange = (
  organizationId: OrganizationId,
  chosen: { readonly pack: string; readonly nextPack: string | null } | undefined
): OperatorAction | undefined =>
  chosen && {
    organizationId,
    action: "pack.changed",
    subject: chosen.nextPack ?? chosen.pack,
    detail: chosen.nextPack === null ? "in force" : "begins with the renewal"
  }

const noAnswer = new Uint8Array(0)
