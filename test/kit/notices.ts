import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { Role } from "../../core/organization/role.ts"
import type { Person } from "../../core/person/Person.ts"
import type { Attempts } from "../../core/port/Attempts.ts"
import type { Deliveries } from "../../core/port/Deliveries.ts"
import type { Endpoints } from "../../core/port/Endpoints.ts"
import type { Keys } from "../../core/port/Keys.ts"
import type { Ledger } from "../../core/port/Ledger.ts"
import type { Notices } from "../../core/port/Notices.ts"
import type { Organizations } from "../../core/port/Organizations.ts"
import type { Usage } from "../../core/port/Usage.ts"

/** What notices tell of, and the two ports that keep them. */
export type NoticePorts =
  | Attempts
  | Deliveries
  | Endpoints
  | Keys
  | Ledger
  | Notices
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

export const twice = <More, E, R, E2, R2>(
  here: Layer.Layer<NoticePorts | More, E, R>,
  there: Layer.Layer<NoticePorts, E2, R2>
) =>
  Layer.merge(here, Layer.effect(NoticesElsewhere, Effect.context<NoticePorts>()).pipe(Layer.provide(there)))
