import * as Effect from "effect/Effect"
import type { AuditEntry } from "../audit/AuditEntry.ts"
import { Audit } from "../port/Audit.ts"
import type { CallContext } from "./Handler.ts"

type Change = Pick<AuditEntry, "action" | "subject" | "detail">

/** The line of its organization's log that tells of what a call changed; undefined: it has no log. */
export const entryOf = ({ caller, now }: CallContext, change: Change): AuditEntry | undefined =>
  caller.auditor === null
    ? undefined
    : { organizationId: caller.organizationId, at: now, actor: caller.auditor, ...change }

/** Appends what a call changed to its organization's log, in the write around it, where it has one. */
export const makeAppendEntry = Effect.map(Audit, ({ append }) => (context: CallContext, change: Change) => {
  const entry = entryOf(context, change)
  return entry === undefined ? Effect.void : append(entry)
})
