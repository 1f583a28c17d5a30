import * as Effect from "effect/Effect"
import type { Interaction, InteractionResults, Provider } from "oidc-provider"
import { namelessClient } from "../../core/oauth/client.ts"
import { formOriginOf, hostOf, redirectTarget } from "../../core/oauth/redirectUri.ts"
import { accountText } from "../../core/oauth/OAuthGrant.ts"
import type { ConsentRequest, Consents, ConsentsUnavailable } from "../../core/port/Consents.ts"
import { OAuthClientsUnavailable } from "../../core/port/OAuthClients.ts"
import { OAuthRecordsUnavailable } from "../../core/port/OAuthRecords.ts"

export interface ConsentParts {
  readonly provider: Provider
  readonly cookieName: string
  /** Schemes of apps that codes may be sent to. */
  readonly schemes: ReadonlyArray<string>
}

/**
 * Requests for consent, as the library's interactions. The cookie that began one is compared with the path
 * alone: who has another browser's page address has no cookie for it, and who plants a cookie planted the
 * request with it, so that a signature would tell nothing more.
 */
export const makeConsents = ({ cookieName, provider, schemes }: ConsentParts): Consents["Service"] => {
  const begun = async ({ uid, cookie }: ConsentRequest): Promise<Interaction | undefined> => {
    if (!isHolder(cookie, cookieName, uid)) return undefined
    const interaction = await provider.Interaction.find(uid)
    return interaction?.result === undefined ? interaction : undefined
  }
  const finish = (place: ConsentRequest, result: InteractionResults) =>
    attempted(async () => {
      const interaction = await begun(place)
      if (interaction === undefined) return undefined
      interaction.result = result
      await interaction.persist()
      return new URL(interaction.returnTo).pathname
    })
  return {
    find: (place) =>
      attempted(async () => {
        const interaction = await begun(place)
        const client = interaction && (await provider.Client.find(String(interaction.params["client_id"])))
        if (interaction === undefined || client === undefined) return undefined
        const redirectUri = String(interaction.params["redirect_uri"])
        const returnsTo = redirectTarget(redirectUri, schemes)
        // The operator has removed the scheme since the client registered.
        if (returnsTo === undefined) return undefined
        return {
          clientId: client.clientId,
          clientName: client.clientName ?? namelessClient,
          clientHost: hostOf(client.clientId) || null,
          returnsTo,
          formOrigin: formOriginOf(redirectUri)
        }
      }),
    allow: ({ grant, ...place }) =>
      finish(place, { login: { accountId: accountText(grant) }, consent: { grantId: grant.grantId } }),
    deny: (place) => finish(place, { error: "access_denied", error_description: "the person refused" })
  }
}

/** Whether the cookies hold this one of the name, whatever others an earlier request left. */
const isHolder = (cookie: string | null, name: string, uid: string): boolean =>
  (cookie ?? "").split(";").some((one) => one.trim() === `${name}=${uid}`)

/** What the storage could not do arrives as the rejection of the library's promise; the rest is a bug. */
const attempted = <A>(work: () => Promise<A>): Effect.Effect<A, ConsentsUnavailable> =>
  Effect.catchDefect(Effect.promise(work), (error) =>
    isAway(error) ? Effect.fail(error) : Effect.die(error)
  )

const isAway = (error: unknown): error is ConsentsUnavailable =>
  error instanceof OAuthRecordsUnavailable || error instanceof OAuthClientsUnavailable
