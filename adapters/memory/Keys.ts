import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { assignRelease, changeKey, retireKey } from "../../core/key/change.ts"
import { isOwnOrganization, ownHolder } from "../../core/key/testKey.ts"
import { packInForce } from "../../core/organization/renewal.ts"
import { Keys } from "../../core/port/Keys.ts"
import { AccountStates } from "./AccountStates.ts"

/** Keys in the process, over the books that hold their organizations. */
export const layer = Layer.effect(
  Keys,
  Effect.map(AccountStates, ({ hashes, keys, organizations }) =>
    Keys.of({
      find: (hash) =>
        Effect.map(Clock.currentTimeMillis, (nowMs) => {
          const key = keys.get(hash)
          if (key !== undefined && isOwnOrganization(key)) return ownHolder(key)
          const state = key && organizations.get(key.organizationId)
          return (
            key &&
            state && {
              key,
              pack: packInForce(state.account, nowMs).pack,
              organizationSuspended: state.organization.suspended,
              concurrentMax: state.organization.concurrentMax
            }
          )
        }),
      issue: (key) =>
        Effect.sync(() => {
          if (!isOwnOrganization(key) && !organizations.has(key.organizationId)) return "no_organization"
          if (keys.has(key.hash)) return "taken"
          keys.set(key.hash, key)
          hashes.set(key.keyId, key.hash)
          return "issued"
        }),
      change: ({ keyId, action, reason }) =>
        Effect.sync(() => {
          const hash = hashes.get(keyId)
          const key = hash && keys.get(hash)
          if (hash === undefined || !key) return undefined
          const changed = changeKey(key, { action, reason })
          keys.set(hash, changed)
          return changed
        }),
      assign: ({ keyId, releaseId }) =>
        Effect.sync(() => {
          const hash = hashes.get(keyId)
          const key = hash && keys.get(hash)
          if (hash === undefined || !key) return undefined
          const assigned = assignRelease(key, releaseId)
          if (assigned._tag === "Assigned") keys.set(hash, assigned.key)
          return assigned
        }),
      retire: ({ keyId, until }) =>
        Effect.sync(() => {
          const hash = hashes.get(keyId)
          const key = hash && keys.get(hash)
          if (hash === undefined || !key) return undefined
          const retired = retireKey(key, until)
          keys.set(hash, retired)
          return { key: retired, isNews: retired !== key }
        }),
      list: (organizationId) =>
        Effect.sync(() =>
          [...keys.values()]
            .filter((key) => key.organizationId === organizationId)
            .sort((one, other) => (one.keyId < other.keyId ? -1 : 1))
        )
    })
  )
)
