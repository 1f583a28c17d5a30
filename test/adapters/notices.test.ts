import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { describe, expect } from "vitest"
import { looksMax, Notices } from "../../core/port/Notices.ts"
import { noticeEmailsLaws } from "../kit/noticeEmailsLaws.ts"
import { absentNoticesLaws, noticeReadersLaws } from "../kit/noticeReadersLaws.ts"
import { noticesLaws } from "../kit/noticesLaws.ts"
import { NoticesElsewhere } from "../kit/notices.ts"
import { absentNotices, postgresNotices } from "../stores/notices.ts"
import { beganMs, observeAll } from "../kit/noticeSubjects.ts"

const laws = [...noticesLaws, ...noticeReadersLaws, ...noticeEmailsLaws]

const live = { excludeTestServices: true }

describe("Notices and their emails", () => {
  layer(postgresNotices, live)("in PostgreSQL", (it) => {
    for (const law of laws) it.effect(law.says, () => law.check)

    it.effect("law 1: a backlog is looked at in parts, and what did nothing is not looked at", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { observe } = yield* Notices
        yield* observeAll()
        yield* sql`insert into notice_look (organization_id, endpoint_id)
          select 'org_many_' || n, 0 from generate_series(1, ${looksMax + 1}) as n`
        const parts = [yield* observe(beganMs), yield* observe(beganMs), yield* observe(beganMs)]
        expect(parts).toEqual([looksMax, 1, 0])
      })
    )

    it.effect("law 1: while another process looks there is nothing to do", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const elsewhere = yield* NoticesElsewhere
        const { observe } = yield* Notices
        yield* sql`insert into notice_look (organization_id, endpoint_id)
          select 'org_any_' || n, 0 from generate_series(1, ${looksMax + 1}) as n`
        const looking = Effect.andThen(
          observe(beganMs),
          Effect.flatMap(Notices, (notices) => notices.observe(beganMs)).pipe(Effect.provide(elsewhere))
        )
        expect(yield* sql.withTransaction(looking)).toBe(0)
        expect(yield* observe(beganMs)).toBe(1)
      })
    )

    it.effect("law 1: keys about to expire are a range of their index", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const plan = yield* sql.withTransaction(
          Effect.andThen(
            sql`set local enable_seqscan = off`,
            sql`explain select * from api_key where mark = 'valid'
          and organization_id is not null and expires_at > now() and expires_at <= now() + interval '7 days'
          order by expires_at limit 10`
          )
        )
        expect(JSON.stringify(plan)).toContain("api_key_expiring")
      })
    )
  })
  layer(absentNotices, live)("without its PostgreSQL", (it) => {
    for (const law of absentNoticesLaws) it.effect(law.says, () => law.check)
  })
})
