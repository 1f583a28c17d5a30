import * as Effect from "effect/Effect"
import type { Actor } from "../person/Person.ts"
import { Audit } from "../port/Audit.ts"

/** A page of the log is as long as a screen or two. */
export const auditPageMax = 50

/** A page of the organization's log, the newest first: everybody in it may see it. */
export const page = ({ organizationId }: Actor, before: number | null) =>
  Effect.flatMap(Audit, ({ list }) => list({ organizationId, before, limit: auditPageMax }))
