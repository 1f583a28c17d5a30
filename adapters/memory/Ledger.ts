import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Entry } from "../../core/organization/Account.ts"
import * as credit from "../../core/organization/credit.ts"
import { renew } from "../../core/organization/renewal.ts"
import { statementOf, tally } from "../../core/organization/statement.ts"
import { usageStatus } from "../../core/organization/usage.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import type { Book } from "./Books.ts"
import { Books, keep } from "./Books.ts"

/** The ledger in the process: the kernel folded over what comes, nothing else. */
export const layer = Layer.effect(
  Ledger,
  Effect.map(Books, ({ organizations, endings }) =>
    Ledger.of({
      charge: (charge) =>
        Effect.sync(() => {
          const book = organizations.get(charge.organizationId)
          if (book === undefined) return { _tag: "Exhausted", required: charge.cost, available: 0 }
          const earlier = entriesOf(book, charge.requestId)
          const move = credit.charge(book.account, { ...charge, nowMs: charge.atMs, earlier })
          keep(book, move)
          if (move.decision._tag === "Charged" && earlier.length === 0) book.usage.push(charge)
          return move.decision
        }),
      refund: ({ organizationId, requestId, atMs }) =>
        Effect.sync(() => {
          const book = organizations.get(organizationId)
          if (book === undefined) return false
          const move = credit.refund(book.account, {
            requestId,
            nowMs: atMs,
            earlier: entriesOf(book, requestId)
          })
          keep(book, move)
          return move.refunded
        }),
      ended: ({ organizationId, requestId, status }) =>
        Effect.sync(() => {
          const used = organizations.get(organizationId)?.usage.some((call) => call.requestId === requestId)
          if (used === true && status !== usageStatus && !endings.has(requestId))
            endings.set(requestId, status)
        }),
      // What a process leaves open goes with it, and its refunds do not fail.
      sweep: Effect.succeed(0),
      grant: ({ organizationId, amount, grantId, atMs }) =>
        Effect.sync(() => {
          const book = organizations.get(organizationId)
          if (book === undefined) return undefined
          const earlier = entriesOf(book, credit.grantReference(grantId))
          keep(book, credit.grant(book.account, { grantId, amount, nowMs: atMs, earlier }))
          return statementOf({ account: book.account, written: tally(book.entries), nowMs: atMs })
        }),
      account: ({ organizationId, nowMs }) =>
        Effect.sync(() => {
          const book = organizations.get(organizationId)
          return book && renew(book.account, nowMs).account
        }),
      statement: ({ organizationId, nowMs }) =>
        Effect.sync(() => {
          const book = organizations.get(organizationId)
          return book && statementOf({ account: book.account, written: tally(book.entries), nowMs })
        })
    })
  )
)

const entriesOf = (book: Book, reference: string): ReadonlyArray<Entry> =>
  book.entries.filter((entry) => entry.reference === reference)
