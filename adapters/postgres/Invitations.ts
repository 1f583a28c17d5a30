import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { Invitations, InvitationsUnavailable } from "../../core/port/Invitations.ts"
import { atomically, unavailable } from "./Database.ts"
import { accept, findInvitation, invite, openInvitations, withdraw } from "./members/invitations.ts"

/** Invitations in PostgreSQL, beside the people of schema `auth`. */
export const layer = Layer.effect(
  Invitations,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const reading = unavailable((fault) => new InvitationsUnavailable({ fault }))
    const writing = <A, E>(effect: Effect.Effect<A, E>) =>
      Effect.provideService(reading(atomically(effect)), SqlClient.SqlClient, sql)
    return Invitations.of({
      list: (organizationId) => reading(openInvitations(sql, organizationId)),
      find: (invitationId) => reading(findInvitation(sql, invitationId)),
      invite: (input) => writing(invite(sql, input)),
      accept: (input) => writing(accept(sql, input)),
      withdraw: (input) => reading(withdraw(sql, input))
    })
  })
)
