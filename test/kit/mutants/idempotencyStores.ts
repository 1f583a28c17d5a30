import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { Claim, Idempotency } from "../../../core/port/Idempotency.ts"
import type { Transactions } from "../../../core/port/Transactions.ts"

/** The verbs of both ports, which share their records. */
export interface Verbs {
  readonly records: Idempotency["Service"]
  readonly transactions: Transactions["Service"]
}

/** Ports with one planted mistake, made out of right ones; some law must notice it. */
export interface StoresMutant {
  readonly says: string
  readonly spoil: (right: Verbs) => Verbs
}

type Write = Transactions["Service"]["write"]

const records =
  (spoil: (right: Verbs["records"]) => Partial<Verbs["records"]>) =>
  (right: Verbs): Verbs => ({ ...right, records: { ...right.records, ...spoil(right.records) } })

const writing =
  (spoil: (right: Write) => Write) =>
  (right: Verbs): Verbs => ({
    ...right,
    transactions: { ...right.transactions, write: spoil(right.transactions.write) }
  })

/** Every record under another name. */
const renamed =
  (rename: (recordId: string) => string) =>
  ({ records, transactions }: Verbs): Verbs => {
    const claimed = (claim: Claim): Claim => ({ ...claim, recordId: rename(claim.recordId) })
    return {
      records: {
        ...records,
        begin: (request) => records.begin({ ...request, recordId: rename(request.recordId) }),
        renew: (claim) => records.renew(claimed(claim)),
        release: (claim) => records.release(claimed(claim))
      },
      transactions: {
        write: (asked) => transactions.write({ ...asked, claim: asked.claim && claimed(asked.claim) }),
        precheck: (asked) => transactions.precheck({ ...asked, claim: asked.claim && claimed(asked.claim) })
      }
    }
  }

export const storesMutants: ReadonlyArray<StoresMutant> = [
  { says: "keeps one record for all keys", spoil: renamed(() => "0".repeat(64)) },
  { says: "keeps its records to itself", spoil: renamed((recordId) => `${recordId} here`) },
  {
    says: "looks before it begins, and believes it afterwards",
    spoil: records(({ begin }) => {
      const looking = new Set<string>()
      return {
        begin: (asked) =>
          Effect.gen(function* () {
            const alone = !looking.has(asked.recordId)
            looking.add(asked.recordId)
            yield* Effect.yieldNow
            const begun = yield* begin(asked)
            yield* Effect.yieldNow
            looking.delete(asked.recordId)
            return !alone && begun._tag === "InProgress" ? { _tag: "Execute" as const, fence: 1 } : begun
          })
      }
    })
  },
  {
    says: "makes a begin wait for the write it meets",
    spoil: (right) => {
      const turn = Semaphore.makeUnsafe(1)
      return {
        records: { ...right.records, begin: (asked) => turn.withPermit(right.records.begin(asked)) },
        transactions: {
          ...right.transactions,
          write: (asked) => turn.withPermit(right.transactions.write(asked))
        }
      }
    }
  },
  {
    says: "says released and does not",
    spoil: records(() => ({ release: () => Effect.succeed("settled" as const) }))
  },
  {
    says: "says renewed and does not",
    spoil: records(() => ({ renew: () => Effect.succeed("settled" as const) }))
  },
  { says: "forgets nothing", spoil: records(() => ({ forget: Effect.succeed(0) })) },
  {
    says: "forgets without end",
    spoil: records(({ forget }) => ({
      forget: Effect.repeat(forget, { until: (some) => some === 0 }).pipe(Effect.as(1))
    }))
  },
  {
    says: "keeps what was to be undone",
    spoil: writing(
      (write) => (asked) =>
        write({
          ...asked,
          work: Effect.map(asked.work, (worked) => ({
            ...worked,
            _tag: "Keep" as const,
            answer: new Uint8Array()
          }))
        })
    )
  },
  {
    says: "works outside of the transaction",
    spoil: writing(
      (write) => (asked) =>
        Effect.flatMap(asked.work, (worked) => write({ ...asked, work: Effect.succeed(worked) }))
    )
  },
  {
    says: "completes no record",
    spoil: writing((write) => (asked) => write({ ...asked, claim: undefined }))
  },
  {
    says: "charges nothing",
    spoil: writing((write) => (asked) => write({ ...asked, charge: undefined }))
  },
  {
    says: "lets the poor go on",
    spoil: writing(
      (write) => (asked) =>
        Effect.flatMap(write(asked), (written) =>
          written._tag === "Exhausted" ? write({ ...asked, charge: undefined }) : Effect.succeed(written)
        )
    )
  },
  {
    says: "works twice",
    spoil: writing((write) => (asked) => write({ ...asked, work: Effect.andThen(asked.work, asked.work) }))
  },
  {
    says: "keeps an answer without its last byte",
    spoil: writing(
      (write) => (asked) =>
        write({
          ...asked,
          work: Effect.map(asked.work, (worked) =>
            worked._tag === "Keep" ? { ...worked, answer: worked.answer.slice(0, -1) } : worked
          )
        })
    )
  },
  {
    says: "tells a failure of the work as a bug",
    spoil: writing((write) => (asked) => write({ ...asked, work: Effect.orDie(asked.work) }))
  },
  {
    says: "prechecks nothing",
    spoil: (right) => ({
      ...right,
      transactions: { ...right.transactions, precheck: () => Effect.undefined }
    })
  }
]
