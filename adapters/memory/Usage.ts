import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { IsoTime } from "../../core/coverage/date.ts"
import { dayOf } from "../../core/coverage/date.ts"
import { summaryOf, usageStatus } from "../../core/organization/usage.ts"
import { Usage, usageLinesMax } from "../../core/port/Usage.ts"
import { AccountStates } from "./AccountStates.ts"

/** Usage in the process: the kernel's fold of the rows at the moment it is asked for. */
export const layer = Layer.effect(
  Usage,
  Effect.map(AccountStates, ({ organizations, endings }) =>
    Usage.of({
      summarize: ({ organizationId, from, to }) =>
        Effect.sync(() => {
          const calls = (organizations.get(organizationId)?.usage ?? []).map((call) => ({
            ...call,
            tool: call.tool === undefined || call.tool === "" ? null : call.tool,
            day: dayOf(DateTime.formatIso(DateTime.makeUnsafe(call.atMs)) as IsoTime),
            status: endings.get(call.requestId) ?? usageStatus
          }))
          return summaryOf(calls.filter(({ day }) => from <= day && day <= to)).slice(-usageLinesMax)
        }),
      gather: Effect.succeed(0)
    })
  )
)
