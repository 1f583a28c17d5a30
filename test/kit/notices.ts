import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Books from "../../adapters/memory/AccountStates.ts"
import * as MemoryAttempts from "../../adapters/memory/Attempts.ts"
import * as MemoryDeliveries from "../../adapters/memory/Deliveries.ts"
import * as MemoryEndpoints from "../../adapters/memory/Endpoints.ts"
import * as MemoryJobs from "../../adapters/memory/Jobs.ts"
import * as MemoryKeys from "../../adapters/memory/Keys.ts"
import * as MemoryLedger from "../../adapters/memory/Ledger.ts"
import * as MemoryMembers from "../../adapters/memory/Members.ts"
import * as MemoryLetters from "../../adapters/memory/NoticeEmails.ts"
import * as NoticeBook from "../../adapters/memory/NoticeState.ts"
import * as MemoryNotices from "../../adapters/memory/Notices.ts"
import * as MemoryOrganizations from "../../adapters/memory/Organizations.ts"
import * as Outbox from "../../adapters/memory/Outbox.ts"
import * as MemoryUsage from "../../adapters/memory/Usage.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { Role } from "../../core/organization/role.ts"
import type { Person } from "../../core/person/Person.ts"
import type { Attempts } from "../../core/port/Attempts.ts"
import type { Deliveries } from "../../core/port/Deliveries.ts"
import type { Endpoints } from "../../core/port/Endpoints.ts"
import type { Keys } from "../../core/port/Keys.ts"
import { Members } from "../../core/port/Members.ts"
import type { Ledger } from "../../core/port/Ledger.ts"
import type { NoticeEmails } from "../../core/port/NoticeEmails.ts"
import type { Notices } from "../../core/port/Notices.ts"
import type { Organizations } from "../../core/port/Organizations.ts"
import type { Usage } from "../../core/port/Usage.ts"
import { freshId, isoTime } from "./accounts.ts"

/** What notices tell of, and the two ports that keep them. */
export type NoticePorts =
  | Attempts
  | Deliveries
  | Endpoints
  | Keys
  | Ledger
  | NoticeEmails
  | Notices
  | Organizations
  | Usage

/** Who belongs to an organization: it is another port's, and written here as that port's store holds it. */
export class Staff extends Context.Service<
  Staff,
  {
    readonly join: (
      organizationId: OrganizationId,
      member: { readonly person: Person; readonly role: Role }
    ) => Effect.Effect<void>
    readonly leave: (organizationId: OrganizationId, person: Person) => Effect.Effect<void>
  }
>()("test/Staffing") {}

/** The same store through another process's connections. */
export class NoticesElsewhere extends Context.Service<NoticesElsewhere, Context.Context<NoticePorts>>()(
  "test/NoticesElsewhere"
) {}

const memoryPorts = Layer.mergeAll(
  MemoryAttempts.layer,
  MemoryDeliveries.layer,
  MemoryEndpoints.layer,
  MemoryKeys.layer,
  MemoryLedger.layer,
  MemoryLetters.layer,
  MemoryNotices.layer,
  MemoryOrganizations.layer,
  MemoryUsage.layer
)

const memoryStaffing = Layer.effect(
  Staff,
  Effect.map(Members, (members) =>
    Staff.of({
      join: (organizationId, { person, role }) =>
        Effect.gen(function* () {
          const invitationId = freshId("inv_")
          yield* members.invite({
            ...{ invitationId, organizationId, role, email: person.email, invitedBy: "nobody" },
            expiresAt: isoTime(Date.UTC(2100, 0)),
            openMax: 1_000
          })
          yield* members.accept({ invitationId, person })
        }).pipe(Effect.orDie),
      leave: (organizationId, person) =>
        Effect.orDie(
          Effect.asVoid(members.remove({ organizationId, personId: person.personId, was: "admin" }))
        )
    })
  )
)

/** Both ends over one memory. */
export const memoryNotices = Layer.suspend(() =>
  twice(Layer.merge(Layer.fresh(memoryPorts), memoryStaffing), Layer.fresh(memoryPorts)).pipe(
    Layer.provide(
      Layer.fresh(
        Layer.mergeAll(MemoryJobs.layer, MemoryMembers.layer, NoticeBook.layer).pipe(
          Layer.provideMerge(Layer.merge(Books.layer, Outbox.layer))
        )
      )
    )
  )
)

export const twice = <More, E, R, E2, R2>(
  here: Layer.Layer<NoticePorts | More, E, R>,
  there: Layer.Layer<NoticePorts, E2, R2>
) =>
  Layer.merge(here, Layer.effect(NoticesElsewhere, Effect.context<NoticePorts>()).pipe(Layer.provide(there)))
