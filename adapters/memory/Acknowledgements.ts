import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Acknowledgement } from "../../core/compliance/Acknowledgement.ts"
import { Acknowledgements } from "../../core/port/Acknowledgements.ts"
import { setEntry } from "./Outbox.ts"

/** Acknowledgements in the process. */
export const layer = Layer.sync(Acknowledgements, () => {
  const kept = new Map<string, Acknowledgement>()
  let lastId = 0
  const keyOf = (organizationId: string, diffId: number): string => `${organizationId} ${diffId}`
  return Acknowledgements.of({
    acknowledge: ({ organizationId, changes, notes, at }) =>
      Effect.suspend(() => {
        const known = changes.flatMap(({ diffId }) => kept.get(keyOf(organizationId, diffId)) ?? [])
        const earlier = known.toSorted((one, other) => one.diffId - other.diffId)
        const fresh = changes
          .filter(({ diffId }) => !kept.has(keyOf(organizationId, diffId)))
          .map((change) => ({ ...change, organizationId, notes, acknowledgedAt: at }))
        const keeping = Effect.forEach(fresh, (each) =>
          setEntry(kept, keyOf(organizationId, each.diffId), { acknowledgementId: ++lastId, ...each })
        )
        return Effect.map(keeping, (acknowledgements) => ({ fresh: acknowledgements, earlier }))
      }),
    among: ({ organizationId, diffIds }) =>
      Effect.sync(() => new Set(diffIds.filter((diffId) => kept.has(keyOf(organizationId, diffId)))))
  })
})
