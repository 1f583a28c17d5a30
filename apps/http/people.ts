import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeDashboard } from "../../adapters/dashboard/dashboard.ts"
import { makeConsentErrorPage } from "../../adapters/dashboard/page/consent.ts"
import type { MountDependencies } from "../../adapters/http/server.ts"
import * as People from "../../adapters/identity/People.ts"
import { makeAuthorizationServer } from "../../adapters/oauth/server.ts"
import { Consents } from "../../core/port/Consents.ts"
import { Settings } from "../../core/port/Settings.ts"

export interface PeopleOptions {
  readonly mailIsLogged: boolean
  readonly redirectSchemes: ReadonlyArray<string>
  readonly loopbackPorts: ReadonlyArray<number>
}

/**
 * The pages of people and the authorization server, which ask one another: who is signed in, and what they
 * consent to. Their libraries are large, so this module is only imported when somebody comes.
 */
export const makePeople = (
  { callerAddress }: Pick<MountDependencies, "callerAddress">,
  { mailIsLogged, ...oauth }: PeopleOptions
) =>
  Effect.gen(function* () {
    const people = yield* Layer.build(People.layer)
    const errorPage = makeConsentErrorPage(yield* Settings)
    const authorization = yield* makeAuthorizationServer({ callerAddress, errorPage, ...oauth })
    const dashboard = yield* makeDashboard({ callerAddress, mailIsLogged }).pipe(
      Effect.provideContext(people),
      Effect.provideService(Consents, authorization.consents)
    )
    return { authorization, dashboard } as const
  })
