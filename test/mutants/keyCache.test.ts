import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as fc from "fast-check"
import { rules } from "../../adapters/postgres/CachedKeys.ts"
import { cacheRules } from "../../core/key/cache.ts"
import { keyCacheChecks } from "../kit/keyCacheChecks.ts"
import { playNews, steps } from "../kit/keyNews.ts"
import { keyCacheMutants, keptKeyMutants } from "../kit/mutants/keyCache.ts"
import { trial } from "./trial.ts"

trial<typeof rules>({
  of: "a cache of keys",
  laws: keyCacheChecks.map(({ says }) => says),
  mutants: keyCacheMutants.map(({ by, ...mutant }) => ({ ...mutant, planted: by })),
  sound: rules,
  holds: (law, planted) => {
    const found = keyCacheChecks.find(({ says }) => says === law)
    return Effect.map(Effect.exit(Effect.scoped(found?.check(planted) ?? Effect.die(law))), Exit.isSuccess)
  }
})

trial<typeof cacheRules>({
  of: "the shelf of a key cache",
  laws: ["in any order of changes, news, reads and lost connections it is at most half a second behind"],
  mutants: keptKeyMutants.map(({ says, spoiled }) => ({ says, planted: { ...cacheRules, ...spoiled } })),
  sound: cacheRules,
  holds: (_, planted) =>
    Effect.sync(() => {
      const keeps = fc.property(steps, (history) => void playNews(planted, history))
      return !fc.check(keeps, { numRuns: 3_000, seed: 7 }).failed
    })
})
