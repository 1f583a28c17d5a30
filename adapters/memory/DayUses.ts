import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { dayOf } from "../../core/limit/quota.ts"
import { organizationOf } from "../../core/limit/subject.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { DayUses } from "../../core/port/DayUses.ts"
import { AccountStates } from "./AccountStates.ts"

/** The day's use from the usage rows in the process. */
export const layer = Layer.effect(
  DayUses,
  Effect.map(AccountStates, ({ organizations }) =>
    DayUses.of({
      read: ({ subject, day }) =>
        Effect.sync(() => {
          const usage = organizations.get(organizationOf(subject) as OrganizationId)?.usage ?? []
          return usage.filter(({ atMs }) => dayOf(atMs) === day).reduce((sum, { cost }) => sum + cost, 0)
        })
    })
  )
)
