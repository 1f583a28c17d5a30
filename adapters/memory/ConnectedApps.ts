import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { IsoTime } from "../../core/coverage/date.ts"
import type { Person } from "../../core/person/Person.ts"
import type { ConnectedApp } from "../../core/port/ConnectedApps.ts"
import { ConnectedApps, ConnectedAppsUnavailable } from "../../core/port/ConnectedApps.ts"
import { Members } from "../../core/port/Members.ts"
import type { KeptGrant } from "./OAuthState.ts"
import { endGrant, OAuthState } from "./OAuthState.ts"

/** Connected apps in the process. */
export const layer = Layer.effect(
  ConnectedApps,
  Effect.gen(function* () {
    const state = yield* OAuthState
    const { list } = yield* Members
    return ConnectedApps.of({
      list: (organizationId) =>
        Effect.gen(function* () {
          const nowMs = yield* Clock.currentTimeMillis
          const { members } = yield* Effect.mapError(
            list(organizationId),
            ({ fault }) => new ConnectedAppsUnavailable({ fault })
          )
          const people = new Map(members.map(({ person }) => [person.personId, person]))
          return [...state.grants.values()]
            .filter(({ grant }) => grant.organizationId === organizationId && grant.endsAtMs > nowMs)
            .sort((one, other) => other.grant.connectedAtMs - one.grant.connectedAtMs)
            .flatMap((kept) => {
              const person = people.get(kept.grant.personId)
              return person === undefined ? [] : [appOf(kept, person)]
            })
        }),
      disconnect: ({ grantId, organizationId }) =>
        Effect.sync(() => {
          if (state.grants.get(grantId)?.grant.organizationId !== organizationId) return false
          return endGrant(state, grantId) !== undefined
        })
    })
  })
)

const appOf = ({ grant, lastUsedAtMs }: KeptGrant, person: Person): ConnectedApp => ({
  grantId: grant.grantId,
  clientId: grant.clientId,
  clientName: grant.clientName,
  person,
  connectedAt: isoTime(grant.connectedAtMs),
  lastUsedAt: lastUsedAtMs === null ? null : isoTime(lastUsedAtMs),
  endsAt: isoTime(grant.endsAtMs)
})

const isoTime = (ms: number): IsoTime => DateTime.formatIso(DateTime.makeUnsafe(ms)) as IsoTime
