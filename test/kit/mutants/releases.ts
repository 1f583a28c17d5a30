import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as MemoryReleases from "../../../adapters/memory/Releases.ts"
import * as MemorySigningKeys from "../../../adapters/memory/SigningKeys.ts"
import type { NewRelease } from "../../../core/port/Releases.ts"
import { Releases } from "../../../core/port/Releases.ts"
import { SigningKeys } from "../../../core/port/SigningKeys.ts"

type Verbs = Releases["Service"]

const releases = (breaks: (sound: Verbs) => Partial<Verbs>) =>
  Layer.effect(
    Releases,
    Effect.map(Releases, (sound) => Releases.of({ ...sound, ...breaks(sound) }))
  ).pipe(Layer.provide(Layer.fresh(MemoryReleases.layer)))

/** Stores of releases that break a promise; the laws must refuse every one of them. */
export const releasesMutants = {
  "certifies hashes in no order": releases((sound) => ({
    save: <E, R>({ certificate, policies }: NewRelease<E, R>) =>
      sound.save<E, R>({
        policies,
        certificate: (hashes) =>
          Effect.flatMap(Stream.runCollect(hashes), (all) =>
            certificate(Stream.fromIterable(all.toReversed()))
          )
      })
  })),
  "keeps what came before a failure": releases((sound) => ({
    save: <E, R>(making: NewRelease<E, R>) =>
      Effect.tapError(sound.save(making), () =>
        sound.save({ ...making, policies: Stream.take(making.policies, 1) })
      ).pipe(Effect.catch(() => sound.save({ ...making, policies: Stream.take(making.policies, 1) })))
  })),
  "certifies anew what was certified": releases((sound) => ({
    save: <E, R>(making: NewRelease<E, R>) =>
      Effect.map(sound.save(making), ({ release }) => ({ release, isNew: true }))
  })),
  "lists the oldest first": releases((sound) => ({
    list: Effect.map(sound.list, (all) => all.toReversed())
  })),
  "forgets the system": releases((sound) => ({
    page: (query) => sound.page({ ...query, codeSystem: null })
  })),
  "forgets the payer": releases((sound) => ({
    page: (query) => sound.page({ ...query, payerCode: null })
  })),
  "gives one page alone": releases((sound) => ({
    page: (query) => Effect.map(sound.page(query), (page) => ({ ...page, next: null }))
  })),
  "leaves out the last of a page": releases((sound) => ({
    page: (query) =>
      Effect.map(sound.page(query), (page) =>
        page.next === null ? page : { ...page, decisions: page.decisions.slice(0, -1) }
      )
  })),
  "exports in the order of policies": releases((sound) => ({
    decisions: (releaseId) =>
      Stream.unwrap(
        Effect.map(Stream.runCollect(sound.decisions(releaseId)), (all) =>
          Stream.fromIterable(all.toSorted((a, b) => (a.policy.policyId < b.policy.policyId ? -1 : 1)))
        )
      )
  })),
  "reads whatever release was certified last": releases((sound) => ({
    page: (query) =>
      Effect.flatMap(sound.list, ([newest]) =>
        sound.page({ ...query, releaseId: newest?.releaseId ?? query.releaseId })
      )
  })),
  "keeps the reason that was given last": releases((sound) => ({
    end: ({ ending, releaseId }) =>
      Effect.map(
        sound.end({ releaseId, ending }),
        (release) =>
          release && {
            ...release,
            endings: release.endings.map((one) => (one.kind === ending.kind ? ending : one))
          }
      )
  })),
  "forgets how a release ended": releases((sound) => ({
    find: (releaseId) =>
      Effect.map(sound.find(releaseId), (release) => release && { ...release, endings: [] })
  }))
}

const signingKeys = (breaks: (sound: SigningKeys["Service"]) => Partial<SigningKeys["Service"]>) =>
  Layer.effect(
    SigningKeys,
    Effect.map(SigningKeys, (sound) => SigningKeys.of({ ...sound, ...breaks(sound) }))
  ).pipe(Layer.provide(Layer.fresh(MemorySigningKeys.layer)))

/** As for releases. */
export const signingKeysMutants = {
  "publishes the newest pair alone": signingKeys((sound) => ({
    list: Effect.map(sound.list, (all) => all.slice(0, 1))
  })),
  "adds whatever is offered": signingKeys((sound) => ({
    offer: ({ pair }) =>
      Effect.flatMap(sound.list, ([newest]) => sound.offer({ pair, after: newest?.keyId ?? null }))
  })),
  "answers the pair that was offered": signingKeys((sound) => ({
    offer: (input) => Effect.as(sound.offer(input), input.pair)
  })),
  "looks, waits and adds": signingKeys((sound) => ({
    offer: ({ after, pair }) =>
      Effect.gen(function* () {
        const [before] = yield* sound.list
        if (before !== undefined && before.keyId !== after) return before
        yield* Effect.yieldNow
        const [newest] = yield* sound.list
        return yield* sound.offer({ pair, after: newest?.keyId ?? null })
      })
  }))
}
