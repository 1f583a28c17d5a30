import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { IsoDate } from "../coverage/date.ts"
import { dayOf, isoTimeOf } from "../coverage/date.ts"
import type { KeyId } from "../key/state.ts"
import { namelessClient, registeredName } from "../oauth/client.ts"
import type { LimitPolicy } from "../limit/policy.ts"
import { policyFor } from "../limit/policy.ts"
import { dayMs, dayOf as dayNumberOf } from "../limit/quota.ts"
import { csvLine } from "../operation/csvCell.ts"
import { may } from "../organization/role.ts"
import type { UsageLine } from "../organization/usage.ts"
import { daysOf } from "../organization/usageReport.ts"
import type { UsageRange } from "../organization/usageReport.ts"
import type { Actor } from "../person/Person.ts"
import { OAuthGrants } from "../port/OAuthGrants.ts"
import { DayUses } from "../port/DayUses.ts"
import { Usage, usageLinesMax } from "../port/Usage.ts"
import { Keys } from "../port/Keys.ts"
import { OAuthClients } from "../port/OAuthClients.ts"
import { Organizations } from "../port/Organizations.ts"
import { LimitsHealth } from "../call/limits.ts"

/** What the usage page shows. */
export interface UsageView {
  readonly range: { readonly from: IsoDate; readonly to: IsoDate }
  readonly lines: ReadonlyArray<UsageLine>
  /** There are more lines than one page reads: the oldest are left out. */
  readonly isCut: boolean
  /** What callers are called: keys by their names, apps as they call themselves, also once they are gone. */
  readonly nameOf: (caller: string) => string
  readonly limits: LimitsView
}

/** The limits of the organization as calls meet them now. */
export interface LimitsView {
  readonly inForce: LimitPolicy
  /** The pack's own, which are halved while the shared store is unavailable (§8.1.3). */
  readonly usual: LimitPolicy
  /** Cost units used since 00:00 UTC. */
  readonly usedToday: number
}

/** Usage of the last so many days, today included: everybody in the organization may see it. */
export const view = Effect.fn("managing.usage")(function* (actor: Actor, days: UsageRange) {
  const { organizationId } = actor
  const range = rangeOf(yield* Clock.currentTimeMillis, days)
  // What came since the last sweep is shown too; whoever gathers just now shows it a moment later.
  yield* (yield* Usage).gather
  const { lines, naming, limits } = yield* Effect.all(
    {
      lines: Effect.flatMap(Usage, ({ summarize }) => summarize({ organizationId, ...range })),
      naming: callerNames(actor),
      limits: limitsOf(actor)
    },
    { concurrency: "unbounded" }
  )
  if (limits === undefined) return undefined
  const isCut = lines.length >= usageLinesMax
  return { range, lines, isCut, nameOf: yield* naming(lines), limits } satisfies UsageView
})

/** The same as a CSV, read and sent day after day, whatever its length; undefined: they may not. */
export const exportUsage = Effect.fn("managing.exportUsage")(function* (actor: Actor, days: UsageRange) {
  if (!may(actor.role, "export_usage")) return undefined
  const { organizationId } = actor
  const range = rangeOf(yield* Clock.currentTimeMillis, days)
  const { gather, summarize } = yield* Usage
  yield* gather
  const naming = yield* callerNames(actor)
  const rows = Stream.mapEffect(
    Stream.fromIterable(daysOf(range)),
    Effect.fnUntraced(function* (day) {
      const lines = yield* summarize({ organizationId, from: day, to: day })
      const nameOf = yield* naming(lines)
      return lines.map((line) => csvLine(cellsOf(line, nameOf))).join("")
    })
  )
  return { range, text: Stream.concat(Stream.succeed(csvLine(columns)), rows) }
})

const rangeOf = (nowMs: number, days: UsageRange) => ({
  from: dayOf(isoTimeOf(nowMs - (days - 1) * dayMs)),
  to: dayOf(isoTimeOf(nowMs))
})

/**
 * Names for the callers of lines. A key keeps its row for ever; an app that is disconnected is asked of what
 * it registered, once, and one that registered nothing (its id is an address) goes by its id.
 */
const callerNames = Effect.fnUntraced(function* ({ organizationId }: Actor) {
  const clients = yield* OAuthClients
  const keys = yield* (yield* Keys).list(organizationId)
  const apps = yield* (yield* OAuthGrants).list(organizationId)
  const names = new Map<string, string>([
    ...apps.map(({ clientId, clientName }) => [clientId, clientName] as const),
    ...keys.map(({ keyId, name }): readonly [KeyId, string] => [keyId, name])
  ])
  const learn = Effect.fnUntraced(function* (clientId: string) {
    const client = yield* clients.find(clientId)
    const name = client === undefined ? clientId : (registeredName(client.metadata) ?? namelessClient)
    names.set(clientId, name)
  })
  return Effect.fnUntraced(function* (lines: ReadonlyArray<UsageLine>) {
    const apps = lines.filter(({ caller, source }) => source === "mcp" && !names.has(caller))
    yield* Effect.forEach(new Set(apps.map(({ caller }) => caller)), learn, { concurrency: asksAtOnce })
    return (caller: string): string => names.get(caller) ?? caller
  })
})

/** Connections of the store that one page may hold. */
const asksAtOnce = 4

const limitsOf = Effect.fnUntraced(function* ({ organizationId }: Actor) {
  const organization = yield* (yield* Organizations).find(organizationId)
  if (organization === undefined) return undefined
  const usual = policyFor(organization.pack, organization.concurrentMax)
  const inForce = yield* (yield* LimitsHealth).inForce(usual)
  const day = dayNumberOf(yield* Clock.currentTimeMillis)
  const usedToday = yield* (yield* DayUses).read({ subject: `org:${organizationId}`, day })
  return { inForce, usual, usedToday } satisfies LimitsView
})

const columns = [
  "day",
  "operation",
  "caller",
  "caller_name",
  "source",
  "tool",
  "calls",
  "credits",
  "errors"
] as const

const cellsOf = (line: UsageLine, nameOf: (caller: string) => string) =>
  columns.map((column) => (column === "caller_name" ? nameOf(line.caller) : line[column]))
