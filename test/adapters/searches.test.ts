import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readHcpcs } from "../../adapters/cms/readHcpcs.ts"
import { readMcd } from "../../adapters/cms/readMcd.ts"
import { parseSynonyms, searchWords } from "../../core/coverage/search.ts"
import { Policies } from "../../core/port/Policies.ts"
import { importCodes } from "../../core/import/importCodes.ts"
import { importPolicies } from "../../core/import/importPolicies.ts"
import { postgresPorts } from "../kit/libraries.ts"
import { day, queryOf } from "../kit/library.ts"
import { postgresLayer } from "../kit/postgres.ts"

const real = (path: string): string => join(import.meta.dirname, "../../../shared/data", path)
const isThere = existsSync(real("mcd"))
const quietly = () => Effect.void

const table = readFileSync(join(import.meta.dirname, "../cases/searches.csv"), "utf8")
const cases = table
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => {
    const [query = "", right = ""] = line.split(",")
    return { query, right: right.split("|") }
  })

const synonyms = parseSynonyms(
  readFileSync(join(import.meta.dirname, "../../apps/lists/synonyms.csv"), "utf8")
)

/** At least so many of the 40 queries find their document among the first five. */
const hitsMin = 36

it.live.skipIf(!isThere)(
  "contract §2 of 40 queries as people type them 36 find the right document among the first five " +
    "(skipped: ../shared/data is not here)",
  () =>
    Effect.gen(function* () {
      yield* Effect.scoped(Effect.flatMap(readMcd(real("mcd")), (source) => importPolicies(source, quietly)))
      yield* Effect.flatMap(readHcpcs(real("hcpcs/HCPC2016_CONTR_ANWEB.txt")), (source) =>
        importCodes(source, quietly)
      )
      const policies = yield* Policies
      const missed: Array<string> = []
      for (const { query, right } of cases) {
        const words = searchWords(query, synonyms)
        const page = yield* policies.search(
          queryOf({ text: query, words, status: "all", asOf: day("2026-03-12"), limit: 10 })
        )
        const first = page.listings.slice(0, 5).map(({ policy, match }) => `${policy.policyId} ${match}`)
        if (!right.some((id) => first.some((one) => one.startsWith(`${id} `))))
          missed.push(`${query}: ${first.join(", ")} ${page.didYouMean}`)
        expect(first.length, query).toBeGreaterThan(0)
      }
      console.log(`hit@5: ${cases.length - missed.length} of ${cases.length}`, missed)
      expect(cases.length).toBe(40)
      expect(cases.length - missed.length).toBeGreaterThanOrEqual(hitsMin)
    }).pipe(Effect.provide(Layer.fresh(postgresPorts.pipe(Layer.provide(postgresLayer))))),
  60_000
)
