import * as Effect from "effect/Effect"
import type { AuditEntry } from "../audit/AuditEntry.ts"
import { Audit } from "../port/Audit.ts"
import type { CallContext } from "./Handler.ts"

/** Appends what a call changed to its organization's log, in the write around it, where it has one. */
export const makeAuditing = Effect.map(
  Audit,
  ({ append }) =>
    ({ caller, now }: CallContext, change: Pick<AuditEntry, "action" | "subject" | "detail">) =>
      caller.auditor === null
        ? Effect.void
        : append({ organizationId: caller.organizationId, at: now, actor: caller.auditor, ...change })
)
