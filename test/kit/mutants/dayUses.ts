import * as Effect from "effect/Effect"
import { organizationOf } from "../../../core/limit/subject.ts"
import type { OrganizationId } from "../../../core/organization/Organization.ts"
import type { DayUses } from "../../../core/port/DayUses.ts"
import type { Charge, Ledger } from "../../../core/port/Ledger.ts"

/** The reader of usage rows and the ledger that writes them. */
export interface Verbs {
  readonly dayUses: DayUses["Service"]
  readonly ledger: Ledger["Service"]
}

/** A reader with one planted mistake, made out of a right one; some law must notice it. */
export interface DayUsesMutant {
  readonly says: string
  readonly spoil: (right: Verbs) => Verbs
}

type Read = DayUses["Service"]["read"]

const reading =
  (spoil: (right: Read) => Read) =>
  (right: Verbs): Verbs => ({ ...right, dayUses: { read: spoil(right.dayUses.read) } })

export const dayUsesMutants: ReadonlyArray<DayUsesMutant> = [
  {
    says: "counts the day before too",
    spoil: reading(
      (read) => (asked) =>
        Effect.map(
          Effect.zip(read(asked), read({ ...asked, day: asked.day - 1 })),
          ([one, other]) => one + other
        )
    )
  },
  {
    says: "tells all who ask at once of a day what the first of them used",
    spoil: reading((read) => {
      const firsts = new Map<number, Parameters<Read>[0]>()
      return (asked) =>
        Effect.suspend(() => {
          const first = firsts.get(asked.day) ?? asked
          firsts.set(asked.day, first)
          const leave = Effect.sync(() => firsts.delete(asked.day))
          return Effect.ensuring(Effect.andThen(Effect.yieldNow, read(first)), leave)
        })
    })
  },
  {
    says: "says that nothing was used",
    spoil: reading(() => () => Effect.succeed(0))
  },
  {
    says: "gives quota back with the credits",
    spoil: ({ ledger, dayUses }) => {
      const refunded = new Map<string, number>()
      return {
        dayUses: {
          read: (asked) =>
            Effect.map(dayUses.read(asked), (used) => used - (refunded.get(asked.subject) ?? 0))
        },
        ledger: {
          ...ledger,
          refund: (asked) =>
            Effect.tap(ledger.refund(asked), () =>
              Effect.sync(() => void refunded.set(`org:${asked.organizationId}`, 6))
            )
        }
      }
    }
  },
  {
    says: "counts what anybody used",
    spoil: ({ ledger, dayUses }) => {
      const organizations = new Set<OrganizationId>()
      const all = (day: number) =>
        Effect.forEach(organizations, (id) => dayUses.read({ subject: `org:${id}`, day }))
      return {
        dayUses: {
          read: ({ day }) => Effect.map(all(day), (uses) => uses.reduce((sum, used) => sum + used, 0))
        },
        ledger: {
          ...ledger,
          charge: (charge) =>
            Effect.tap(ledger.charge(charge), () =>
              Effect.sync(() => organizations.add(charge.organizationId))
            )
        }
      }
    }
  },
  {
    says: "takes a test key for an organization",
    spoil: reading(
      (read) => (asked) =>
        read({ ...asked, subject: `org:${organizationOf(asked.subject) ?? asked.subject.slice(4)}` })
    )
  },
  {
    says: "counts calls that were asked for and not paid",
    spoil: ({ ledger, dayUses }) => {
      const refused = new Map<string, number>()
      return {
        dayUses: {
          read: (asked) => Effect.map(dayUses.read(asked), (used) => used + (refused.get(asked.subject) ?? 0))
        },
        ledger: {
          ...ledger,
          charge: (charge: Charge) =>
            Effect.tap(ledger.charge(charge), ({ _tag }) =>
              Effect.sync(
                () => void (_tag === "Exhausted" && refused.set(`org:${charge.organizationId}`, charge.cost))
              )
            )
        }
      }
    }
  },
  {
    says: "answers before the row is written",
    spoil: ({ ledger, dayUses }) => ({
      dayUses,
      ledger: {
        ...ledger,
        charge: (charge) =>
          Effect.as(Effect.forkDetach(Effect.andThen(Effect.sleep("20 millis"), ledger.charge(charge))), {
            _tag: "Charged" as const,
            available: 0
          })
      }
    })
  }
]
