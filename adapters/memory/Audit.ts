import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { AuditEntry } from "../../core/audit/AuditEntry.ts"
import { Audit } from "../../core/port/Audit.ts"
import { setEntry } from "./Outbox.ts"

/** The audit log in the process; an entry of a write that does not commit is taken back. */
export const layer = Layer.sync(Audit, () => {
  const kept = new Map<number, AuditEntry>()
  let lastPlace = 0
  return Audit.of({
    append: (entry) => Effect.asVoid(Effect.suspend(() => setEntry(kept, ++lastPlace, entry))),
    list: ({ organizationId, before, limit }) =>
      Effect.sync(() => {
        const admitted = [...kept]
          .filter(([place, entry]) => entry.organizationId === organizationId && place < (before ?? Infinity))
          .toSorted(([one], [other]) => other - one)
        const page = admitted.slice(0, limit)
        const next = admitted.length > limit ? (page.at(-1)?.[0] ?? null) : null
        return { entries: page.map(([, entry]) => entry), next }
      })
  })
})
