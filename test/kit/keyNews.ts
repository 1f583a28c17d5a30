import assert from "node:assert/strict"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { makeKeyCache } from "../../adapters/postgres/keyCache.ts"
import type { CacheRules, KeyChange, StoreRead } from "../../core/key/cache.ts"
import { heartbeatMsMax } from "../../core/key/cache.ts"
import type { KeyHash, KeyHolder } from "../../core/key/state.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { keyOf } from "./keysLaws.ts"

/** What may happen around a cache: to the store, to the news of it, to reads under way, to its connection. */
export type Step =
  | { readonly _tag: "Wait"; readonly ms: number }
  | { readonly _tag: "Change"; readonly key: number }
  | { readonly _tag: "ChangeOrganization"; readonly organization: number }
  | { readonly _tag: "Beat" }
  | { readonly _tag: "Deliver"; readonly count: number }
  | { readonly _tag: "Ask"; readonly key: number }
  | { readonly _tag: "Arrive"; readonly reading: number }
  | { readonly _tag: "Reconnect" }

const keys = fc.nat(2)
const organizations = fc.nat(1)
const waits = fc.constantFrom(0, 1, 150, 150, 349, 499, 500)

/** Histories lean on the edges of the half second, and on news and reads that overtake each other. */
export const steps: fc.Arbitrary<ReadonlyArray<Step>> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ _tag: fc.constant("Wait" as const), ms: waits }) },
    { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Change" as const), key: keys }) },
    {
      weight: 1,
      arbitrary: fc.record({ _tag: fc.constant("ChangeOrganization" as const), organization: organizations })
    },
    { weight: 4, arbitrary: fc.record({ _tag: fc.constant("Beat" as const) }) },
    {
      weight: 6,
      arbitrary: fc.record({ _tag: fc.constant("Deliver" as const), count: fc.constantFrom(1, 2, 9) })
    },
    { weight: 10, arbitrary: fc.record({ _tag: fc.constant("Ask" as const), key: keys }) },
    { weight: 8, arbitrary: fc.record({ _tag: fc.constant("Arrive" as const), reading: fc.nat(2) }) },
    { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Reconnect" as const) }) }
  ),
  { minLength: 20, maxLength: 80, size: "max" }
)

type News = { readonly change: KeyChange } | { readonly sentMs: number }
type Version = { readonly sinceMs: number; readonly holder: KeyHolder | undefined }
type Open = StoreRead & { readonly key: number; readonly holder: KeyHolder | undefined }

/**
 * Plays the steps on a shelf and on the truth beside it, and says how often it answered from memory. Fails
 * when such an answer had not been true at any moment of the half second before.
 */
export const playNews = (rules: CacheRules, history: ReadonlyArray<Step>, max = 4): number => {
  const world = makeWorld(rules, max)
  for (const step of history) world.play(step)
  return world.hits()
}

const hashes = [0, 1, 2, 3].map((key) => String(key).padStart(64, "0") as KeyHash)
const organizationOf = (key: number) => `org_${key % 2}` as OrganizationId

const makeWorld = (rules: CacheRules, max: number) => {
  const cache = makeKeyCache(rules, max)
  const truth: Array<Array<Version>> = hashes.map(() => [{ sinceMs: 0, holder: undefined }])
  let [nowMs, version, hits] = [0, 0, 0]
  let news: Array<News> = []
  const readings: Array<Open> = []
  const write = (key: number) => {
    version += 1
    const holder = { key: { ...keyOf(organizationOf(key)), name: `v${version}` }, ...rest }
    truth[key]?.push({ sinceMs: nowMs, holder })
  }
  const ask = (key: number, hash: KeyHash) => {
    const versions = truth[key] ?? []
    const kept = cache.isTrusted(nowMs) ? cache.get(hash, nowMs) : undefined
    const holder = versions.at(-1)?.holder
    if (kept === undefined) {
      return void readings.push({ key, holder, generation: cache.generation(), beganMs: nowMs, wallMs: 0 })
    }
    hits += 1
    const answer = Effect.runSync(kept.answer)
    assert.ok(wasTrue(versions, answer, nowMs), "an answer that had long been replaced")
  }
  const arrive = (index: number) => {
    const [reading] = readings.splice(index, 1)
    const hash = reading && hashes[reading.key]
    if (reading !== undefined && hash !== undefined) cache.keep(hash, reading.holder, undefined, reading)
  }
  const deliver = (one: News) => ("change" in one ? cache.forget(one.change) : cache.onHeartbeat(one.sentMs))
  const play = (step: Step): void => {
    switch (step._tag) {
      case "Wait":
        nowMs += step.ms
        return
      case "Change":
        write(step.key)
        return void news.push({ change: { _tag: "Key", hash: hashes[step.key] ?? missingHash } })
      case "ChangeOrganization":
        // Keys that were never issued belong to nobody.
        hashes.forEach((_, key) => {
          if (key % 2 === step.organization && truth[key]?.at(-1)?.holder !== undefined) write(key)
        })
        return void news.push({
          change: { _tag: "Organization", organizationId: organizationOf(step.organization) }
        })
      case "Beat":
        return void news.push({ sentMs: nowMs })
      case "Deliver":
        return news.splice(0, step.count).forEach(deliver)
      case "Ask":
        return ask(step.key, hashes[step.key] ?? missingHash)
      case "Arrive":
        return arrive(step.reading)
      case "Reconnect":
        news = []
        return cache.flush()
    }
  }
  return { play, hits: () => hits }
}

const missingHash = "none" as KeyHash
const rest = { pack: "scale", organizationSuspended: false, concurrentMax: null } as const

/** A version is true from when it was written until the next one is. */
const wasTrue = (versions: ReadonlyArray<Version>, answer: KeyHolder | undefined, nowMs: number): boolean =>
  versions.some(({ holder }, index) => {
    const untilMs = versions[index + 1]?.sinceMs ?? Number.POSITIVE_INFINITY
    return holder === answer && untilMs > nowMs - heartbeatMsMax
  })
