import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { forgottenClientsMax, OAuthClients } from "../../core/port/OAuthClients.ts"
import { OAuthState } from "./OAuthState.ts"

/** Registered clients in the process. */
export const layer = Layer.effect(
  OAuthClients,
  Effect.map(OAuthState, ({ clients, usedClients }) =>
    OAuthClients.of({
      register: (client) =>
        Effect.sync(() => {
          clients.set(client.clientId, client)
        }),
      find: (clientId) => Effect.sync(() => clients.get(clientId)),
      forget: (untilMs) =>
        Effect.sync(() => {
          const unused = [...clients.values()].filter(
            ({ clientId, registeredAtMs }) => registeredAtMs <= untilMs && !usedClients.has(clientId)
          )
          const forgotten = unused.slice(0, forgottenClientsMax)
          for (const { clientId } of forgotten) clients.delete(clientId)
          return forgotten.length
        })
    })
  )
)
