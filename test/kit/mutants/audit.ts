import * as Effect from "effect/Effect"
import type { Audit } from "../../../core/port/Audit.ts"
import type { MutantPort } from "./webhookStores.ts"
import { beside } from "./webhookStores.ts"

export const auditMutants: ReadonlyArray<MutantPort<Audit["Service"]>> = [
  { says: "loses the newest", spoil: () => ({ append: () => Effect.void }) },
  {
    says: "appends beside the write",
    spoil: ({ append }) => ({ append: (entry) => beside(append(entry)) })
  },
  {
    says: "appends twice",
    spoil: ({ append }) => ({ append: (entry) => Effect.andThen(append(entry), append(entry)) })
  },
  {
    says: "takes every actor for the service",
    spoil: ({ append }) => ({ append: (entry) => append({ ...entry, actor: { kind: "service" } }) })
  },
  {
    says: "keeps no detail",
    spoil: ({ append }) => ({ append: (entry) => append({ ...entry, detail: null }) })
  },
  {
    says: "lists by time",
    spoil: ({ list }) => ({
      list: (query) =>
        Effect.map(list(query), ({ entries, next }) => ({
          entries: entries.toSorted((one, other) => (one.at < other.at ? 1 : -1)),
          next
        }))
    })
  },
  {
    says: "lists the oldest first",
    spoil: ({ list }) => ({
      list: (query) =>
        Effect.map(list(query), ({ entries, next }) => ({ entries: entries.toReversed(), next }))
    })
  },
  {
    says: "says that a page follows the last",
    spoil: ({ list }) => ({
      list: (query) =>
        Effect.map(list(query), ({ entries, next }) => ({
          entries,
          next: next ?? (entries.length === query.limit ? 1 : null)
        }))
    })
  },
  {
    says: "begins a page with the last of the one before",
    spoil: ({ list }) => ({
      list: (query) => list({ ...query, before: query.before === null ? null : query.before + 1 })
    })
  },
  {
    says: "keeps one log for all organizations",
    spoil: ({ append, list }) => {
      const shared = "org_shared" as Parameters<typeof list>[0]["organizationId"]
      return {
        append: (entry) => append({ ...entry, organizationId: shared }),
        list: (query) =>
          Effect.map(list({ ...query, organizationId: shared }), ({ entries, next }) => ({
            entries: entries.map((entry) => ({ ...entry, organizationId: query.organizationId })),
            next
          }))
      }
    }
  }
]
