import { html } from "../../html/html.ts"
import { lead } from "../parts.ts"
import { securityHeaders } from "../securityHeaders.ts"
import { documentHtml } from "../shell.ts"

/**
 * What the authorization server shows of a request that cannot go on, in the frame of our pages. It is asked
 * before anybody signs in, and says nothing of who does.
 */
export const makeConsentErrorPage =
  (about: { readonly supportUrl: string; readonly isHttps: boolean }) =>
  (facts: { readonly status: number; readonly error: string; readonly says: string }) => {
    const { "x-request-id": _, ...headers } = securityHeaders({
      requestId: "",
      isHttps: about.isHttps,
      formOrigins: []
    })
    const text = documentHtml({
      page: {
        _tag: "Shown",
        status: facts.status,
        title: "The app could not be connected",
        width: "narrow",
        body: html`${lead(facts.says)}<p>Go back to the app and connect it again. If that does not help, tell who makes
it: <code>${facts.error}</code>.</p>`
      },
      said: undefined,
      person: undefined,
      memberships: [],
      membership: undefined,
      notices: [],
      supportUrl: about.supportUrl
    })
    return { text, headers }
  }
