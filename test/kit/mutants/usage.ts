import * as Effect from "effect/Effect"
import type { OrganizationId } from "../../../core/organization/Organization.ts"
import type { UsageLine } from "../../../core/organization/usage.ts"
import type { Ledger } from "../../../core/port/Ledger.ts"
import type { Usage } from "../../../core/port/Usage.ts"

/** The verbs by which usage comes about and is seen. */
export interface UsageVerbs {
  readonly ledger: Ledger["Service"]
  readonly usage: Usage["Service"]
}

/** Ports with one planted mistake; some law must notice it. */
export interface UsageMutant {
  readonly says: string
  readonly spoil: (right: UsageVerbs) => UsageVerbs
}

const shown =
  (change: (lines: ReadonlyArray<UsageLine>) => ReadonlyArray<UsageLine>) =>
  ({ ledger, usage }: UsageVerbs): UsageVerbs => ({
    ledger,
    usage: { ...usage, summarize: (asked) => Effect.map(usage.summarize(asked), change) }
  })

const ended =
  (change: (ended: UsageVerbs["ledger"]["ended"]) => UsageVerbs["ledger"]["ended"]) =>
  ({ ledger, usage }: UsageVerbs): UsageVerbs => ({
    ledger: { ...ledger, ended: change(ledger.ended) },
    usage
  })

export const usageMutants: ReadonlyArray<UsageMutant> = [
  { says: "does not hear how calls end", spoil: ended(() => () => Effect.void) },
  {
    says: "takes 400 for no error",
    spoil: ended((right) => (call) => (call.status === 400 ? Effect.void : right(call)))
  },
  {
    says: "takes 399 for an error",
    spoil: ended((right) => (call) => right(call.status === 399 ? { ...call, status: 400 } : call))
  },
  {
    says: "takes 499 for a fault of its own and 500 for the caller's",
    spoil: ended(
      (right) => (call) =>
        right({ ...call, status: call.status === 499 ? 500 : call.status === 500 ? 499 : call.status })
    )
  },
  {
    says: "keeps what it received last",
    spoil: ended((right) => {
      const received = new Map<string, Parameters<typeof right>[0]>()
      return (call) =>
        Effect.suspend(() => {
          received.set(call.requestId, call)
          return Effect.asVoid(
            Effect.forkDetach(
              Effect.andThen(
                Effect.sleep("100 millis"),
                Effect.suspend(() => right(received.get(call.requestId) ?? call))
              )
            )
          )
        })
    })
  },
  {
    says: "counts a call as one credit",
    spoil: shown((lines) => lines.map((line) => ({ ...line, credits: line.calls })))
  },
  {
    says: "leaves out what came by a tool",
    spoil: shown((lines) => lines.filter(({ source }) => source === "api"))
  },
  {
    says: "forgets by which tool",
    spoil: shown((lines) => lines.map((line) => ({ ...line, tool: null })))
  },
  { says: "shows the newest day first", spoil: shown((lines) => lines.toReversed()) },
  {
    says: "counts twice what was gathered twice",
    spoil: ({ ledger, usage }) => {
      let gathers = 0
      return {
        ledger,
        usage: {
          gather: Effect.tap(usage.gather, () => Effect.sync(() => (gathers += 1))),
          summarize: (asked) =>
            Effect.map(usage.summarize(asked), (lines) =>
              lines.map((line) => ({ ...line, calls: line.calls * (gathers > 0 ? 2 : 1) }))
            )
        }
      }
    }
  },
  {
    says: "shows all organizations the first one's usage",
    spoil: ({ ledger, usage }) => {
      let first: OrganizationId | undefined
      return {
        ledger,
        usage: {
          ...usage,
          summarize: (asked) => {
            first ??= asked.organizationId
            return usage.summarize({ ...asked, organizationId: first })
          }
        }
      }
    }
  },
  {
    says: "leaves out the last day",
    spoil: ({ ledger, usage }) => ({
      ledger,
      usage: {
        ...usage,
        summarize: (asked) =>
          Effect.map(usage.summarize(asked), (lines) => lines.filter(({ day }) => day < asked.to))
      }
    })
  },
  {
    says: "does not count a write",
    spoil: shown((lines) => lines.map((line) => ({ ...line, calls: line.credits === 4 ? 0 : line.calls })))
  }
]
