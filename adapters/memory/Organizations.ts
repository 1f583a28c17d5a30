import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Organization } from "../../core/organization/Organization.ts"
import { choosePack, openAccount } from "../../core/organization/packChoice.ts"
import { packInForce } from "../../core/organization/renewal.ts"
import type { OrganizationChange } from "../../core/port/Organizations.ts"
import { Organizations } from "../../core/port/Organizations.ts"
import type { Book } from "./Books.ts"
import { Books, keep } from "./Books.ts"

/** Organizations in the process, over the books the ledger and the keys share. */
export const layer = Layer.effect(
  Organizations,
  Effect.map(Books, ({ organizations }) =>
    Organizations.of({
      create: (organization) =>
        Effect.sync(() => {
          const nowMs = DateTime.makeUnsafe(organization.createdAt).epochMilliseconds
          const { account, entries } = openAccount(organization.pack, nowMs)
          const book: Book = { organization, account, entries: [...entries], usage: [] }
          organizations.set(organization.organizationId, book)
        }),
      find: (organizationId) => shownNow(() => organizations.get(organizationId)),
      change: ({ organizationId, change }) =>
        shownNow(() => {
          const book = organizations.get(organizationId)
          if (book !== undefined) apply(book, change)
          return book
        })
    })
  )
)

const shownNow = (find: () => Book | undefined): Effect.Effect<Organization | undefined> =>
  Effect.map(Clock.currentTimeMillis, (nowMs) => {
    const book = find()
    return book && { ...book.organization, ...packInForce(book.account, nowMs) }
  })

const apply = (book: Book, change: OrganizationChange): void => {
  switch (change._tag) {
    case "Pack":
      return keep(book, choosePack(book.account, change.pack, change.nowMs))
    case "Name":
      book.organization = { ...book.organization, name: change.name }
      return
    case "Suspend":
      book.organization = { ...book.organization, suspended: true, suspendedReason: change.reason }
      return
    case "Unsuspend":
      book.organization = { ...book.organization, suspended: false, suspendedReason: null }
      return
    case "OverageCap":
      book.account = { ...book.account, overageCap: change.cap }
      return
    case "ConcurrentMax":
      book.organization = { ...book.organization, concurrentMax: change.max }
      return
  }
}
