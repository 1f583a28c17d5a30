import * as Effect from "effect/Effect"
import type { IsoTime } from "../../../core/coverage/date.ts"
import { changeKey } from "../../../core/key/change.ts"
import type { KeyHash, KeyHolder, KeyId, KeyRecord } from "../../../core/key/state.ts"
import { isOwnOrganization } from "../../../core/key/testKey.ts"
import type { Keys } from "../../../core/port/Keys.ts"

type Verbs = Keys["Service"]

/** A store of keys with one planted mistake, made out of a right one; some law must notice it. */
export interface KeysMutant {
  readonly says: string
  readonly spoil: (right: Verbs) => Verbs
}

/** What a find shows, shown wrongly. */
const showing =
  (wrong: (holder: KeyHolder) => KeyHolder) =>
  (right: Verbs): Verbs => ({
    ...right,
    find: (hash) => Effect.map(right.find(hash), (holder) => holder && wrong(holder))
  })

/** Changes kept beside the store: they are decided here, and what is kept is what a find then shows. */
const changing =
  (pause: Effect.Effect<void>) =>
  (right: Verbs): Verbs => {
    const kept = new Map<KeyId, KeyRecord>()
    return {
      ...right,
      issue: (key) => Effect.tap(right.issue(key), () => Effect.sync(() => kept.set(key.keyId, key))),
      find: (hash) =>
        Effect.map(
          right.find(hash),
          (holder) => holder && { ...holder, key: kept.get(holder.key.keyId) ?? holder.key }
        ),
      change: Effect.fnUntraced(function* ({ keyId, ...change }) {
        const before = kept.get(keyId)
        yield* pause
        const after = before && changeKey(before, change)
        if (after !== undefined) kept.set(keyId, after)
        return after
      })
    }
  }

/** What was found once is found for ever, for those answers. */
const rememberAnswers =
  (isKept: (holder: KeyHolder | undefined) => boolean) =>
  (right: Verbs): Verbs => {
    const found = new Map<KeyHash, KeyHolder | undefined>()
    return {
      ...right,
      find: (hash) =>
        found.has(hash)
          ? Effect.succeed(found.get(hash))
          : Effect.tap(right.find(hash), (holder) =>
              Effect.sync(() => void (isKept(holder) && found.set(hash, holder)))
            )
    }
  }

export const keysMutants: ReadonlyArray<KeysMutant> = [
  {
    says: "forgets the allow-list of a key",
    spoil: showing((holder) => ({ ...holder, key: { ...holder.key, allowedCidrs: [] } }))
  },
  {
    says: "forgets when a key expires",
    spoil: showing((holder) => ({ ...holder, key: { ...holder.key, expiresAt: null } }))
  },
  {
    says: "does not see that an organization is suspended",
    spoil: showing((holder) => ({ ...holder, organizationSuspended: false }))
  },
  {
    says: "shows the pack of another organization",
    spoil: showing((holder) => ({ ...holder, pack: "scale" }))
  },
  {
    says: "keeps the reason of a suspension that was lifted",
    spoil: (right) => ({
      ...right,
      change: (asked) =>
        Effect.map(right.change(asked), (key) => key && { ...key, reason: asked.reason ?? key.reason })
    })
  },
  {
    says: "does not find what is revoked",
    spoil: (right) => ({
      ...right,
      find: (hash) =>
        Effect.map(right.find(hash), (holder) => (holder?.key.mark === "revoked" ? undefined : holder))
    })
  },
  { says: "reads a key, waits, and writes what it read", spoil: changing(Effect.yieldNow) },
  { says: "keeps its changes to itself", spoil: changing(Effect.void) },
  {
    says: "says that it issued a hash that was taken",
    spoil: (right) => ({
      ...right,
      issue: (key) => Effect.map(right.issue(key), (said) => (said === "taken" ? "issued" : said))
    })
  },
  {
    says: "issues keys to organizations that nobody has heard of",
    spoil: (right) => ({
      ...right,
      issue: (key) => Effect.map(right.issue(key), (said) => (said === "no_organization" ? "issued" : said))
    })
  },
  {
    says: "gives a test key the pack of those who have none",
    spoil: showing((holder) => (isOwnOrganization(holder.key) ? { ...holder, pack: "credits" } : holder))
  },
  {
    says: "lists no key that is an organization of its own",
    spoil: (right) => ({
      ...right,
      list: (organizationId) =>
        Effect.map(right.list(organizationId), (keys) => keys.filter((key) => !isOwnOrganization(key)))
    })
  },
  {
    says: "assigns a release to any key",
    spoil: (right) => ({
      ...right,
      assign: (asked) =>
        Effect.map(right.assign(asked), (said) =>
          said?._tag === "Unfit" ? { _tag: "Unfit", because: "scope" } : said
        )
    })
  },
  {
    says: "keeps the release that was assigned first",
    spoil: (right) => {
      const assigned = new Set<KeyId>()
      return {
        ...right,
        assign: (asked) =>
          assigned.has(asked.keyId)
            ? right.assign({ ...asked, keyId: "key_none" as KeyId })
            : Effect.tap(right.assign(asked), () => Effect.sync(() => assigned.add(asked.keyId)))
      }
    }
  },
  {
    says: "gives a key that is retired a later end",
    spoil: (right) => {
      const ends = new Map<KeyId, IsoTime>()
      return {
        ...right,
        retire: (asked) =>
          Effect.map(right.retire(asked), (retired) => {
            if (retired === undefined) return undefined
            ends.set(retired.key.keyId, asked.until)
            return { ...retired, key: { ...retired.key, expiresAt: asked.until } }
          }),
        find: (hash) =>
          Effect.map(right.find(hash), (holder) => {
            const expiresAt = holder && ends.get(holder.key.keyId)
            return holder && expiresAt ? { ...holder, key: { ...holder.key, expiresAt } } : holder
          })
      }
    }
  },
  {
    says: "retires no key that had no end",
    spoil: (right) => ({
      ...right,
      find: (hash) =>
        Effect.map(right.find(hash), (holder) =>
          holder?.key.releaseId === null ? { ...holder, key: { ...holder.key, expiresAt: null } } : holder
        )
    })
  },
  {
    says: "lists the newest key first",
    spoil: (right) => ({
      ...right,
      list: (organizationId) => Effect.map(right.list(organizationId), (keys) => keys.toReversed())
    })
  },
  {
    says: "lists the keys of whoever was asked for first",
    spoil: (right) => {
      const issued: Array<KeyRecord> = []
      return {
        ...right,
        issue: (key) => Effect.tap(right.issue(key), () => Effect.sync(() => issued.push(key))),
        list: () => Effect.sync(() => issued)
      }
    }
  },
  {
    says: "remembers a key and hears of no change",
    spoil: rememberAnswers((holder) => holder !== undefined)
  },
  {
    says: "remembers that a key is unknown and hears of no issue",
    spoil: rememberAnswers((holder) => holder === undefined)
  }
]
