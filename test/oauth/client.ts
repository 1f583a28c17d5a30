import { createHash, randomBytes } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { TokenHash } from "../../core/oauth/TokenHolder.ts"
import { AccessTokens } from "../../core/port/AccessTokens.ts"
import { Consents } from "../../core/port/Consents.ts"
import { OAuthGrants } from "../../core/port/OAuthGrants.ts"
import { newMember, grantOf } from "../kit/oauths.ts"
import type { OAuthSite } from "./serving.ts"
import { baseUrl } from "./serving.ts"

export const redirectUri = "http://127.0.0.1:6274/oauth/callback"
export const resource = `${baseUrl}/mcp`

/** A server as far as its socket goes. */
type Reached = Pick<OAuthSite, "url">

/** One browser's cookies, by name, as far as these flows need: paths are the library's own subject. */
export type Jar = Map<string, string>

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
  readonly scope: string
  readonly token_type: string
}

let callers = 0
/** An address nobody else calls from. */
export const freshAddress = (): string => `198.51.100.${callers++ % 250}`

export const form = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields).toString()
const formHeaders = { "content-type": "application/x-www-form-urlencoded" }

export const register = (
  { url }: Reached,
  metadata: Readonly<Record<string, unknown>> = {},
  address: string = freshAddress()
) =>
  fetch(`${url}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": address },
    body: JSON.stringify({ client_name: "Example App", redirect_uris: [redirectUri], ...metadata })
  })

export const clientIdOf = async (answer: Promise<Response>): Promise<string> =>
  ((await (await answer).json()) as { readonly client_id: string }).client_id

/** A secret and its S256 challenge (RFC 7636 §4). */
export const pkce = () => {
  const verifier = randomBytes(32).toString("base64url")
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") }
}

/** The path and query of one of the server's own addresses, which the tests reach by their socket. */
export const pathOf = (location: string | null): string => {
  const target = new URL(location ?? "", baseUrl)
  if (target.origin !== baseUrl) throw new Error(`not our own: ${location}`)
  return target.pathname + target.search
}

export const visit = async (
  { url }: Reached,
  path: string,
  jar: Jar = new Map(),
  headers: Readonly<Record<string, string>> = {}
) => {
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ")
  const answer = await fetch(url + path, {
    redirect: "manual",
    headers: { "x-forwarded-for": freshAddress(), accept: "text/html", ...(cookie && { cookie }), ...headers }
  })
  for (const line of answer.headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === "") jar.delete(name)
    else jar.set(name, value)
  }
  return answer
}

export interface AuthorizationRequest {
  readonly clientId: string
  readonly challenge: string
  readonly parameters?: Readonly<Record<string, string>>
}

export const authorizePath = ({ challenge, clientId, parameters = {} }: AuthorizationRequest): string =>
  `/oauth/authorize?${form({
    client_id: clientId,
    response_type: "code",
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: "S256",
    state: "a state",
    resource,
    ...parameters
  })}`

/** The page of consent that a request leads to. */
export const consentUid = (answer: Response): string => {
  const path = pathOf(answer.headers.get("location"))
  const [, uid = ""] = /^\/oauth\/consent\/([^/]+)$/.exec(path) ?? []
  if (uid === "") throw new Error(`no consent: ${path}`)
  return uid
}

export const cookieOf = (jar: Jar): string => [...jar].map(([name, value]) => `${name}=${value}`).join("; ")

/** Says yes as a new member of a new organization, or as the given one, and goes on to the client. */
export const consent = async (
  serving: OAuthSite,
  jar: Jar,
  uid: string,
  account?: Effect.Success<typeof newMember>
) => {
  const cookie = cookieOf(jar)
  const allowed = await serving.run(
    Effect.gen(function* () {
      const { organizationId, person } = account ?? (yield* newMember)
      const consents = yield* Consents
      const asked = yield* consents.find({ uid, cookie })
      if (asked === undefined) return yield* Effect.die(new Error("no consent is asked"))
      const { clientId, clientName } = asked
      const nowMs = yield* Clock.currentTimeMillis
      const grant = grantOf({ organizationId, personId: person.personId }, nowMs, { clientId, clientName })
      yield* (yield* OAuthGrants).open(grant)
      return { grant, path: yield* consents.allow({ uid, cookie, grant }) }
    })
  )
  const answer = await visit(serving, allowed.path ?? "", jar)
  return { grant: allowed.grant, answer, back: new URL(answer.headers.get("location") ?? "") }
}

export const token = (serving: OAuthSite, fields: Readonly<Record<string, string>>) =>
  fetch(`${serving.url}/oauth/token`, { method: "POST", headers: formHeaders, body: form(fields) })

export const revoke = (serving: OAuthSite, fields: Readonly<Record<string, string>>) =>
  fetch(`${serving.url}/oauth/revoke`, { method: "POST", headers: formHeaders, body: form(fields) })

/** A client up to its code. */
export const authorizeClient = async (serving: OAuthSite, given: { readonly clientId?: string } = {}) => {
  const clientId = given.clientId ?? (await clientIdOf(register(serving)))
  const { challenge, verifier } = pkce()
  const jar: Jar = new Map()
  const uid = consentUid(await visit(serving, authorizePath({ clientId, challenge }), jar))
  const { back, grant } = await consent(serving, jar, uid)
  const code = back.searchParams.get("code") ?? ""
  const fields = {
    grant_type: "authorization_code",
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
    resource
  }
  return { clientId, grant, back, fields }
}

/** A client with its first tokens. */
export const connectClient = async (serving: OAuthSite, given: { readonly clientId?: string } = {}) => {
  const begun = await authorizeClient(serving, given)
  const answer = await token(serving, begun.fields)
  return { ...begun, tokens: (await answer.json()) as Tokens }
}

export const refresh = (serving: OAuthSite, clientId: string, refreshToken: string) =>
  token(serving, { grant_type: "refresh_token", client_id: clientId, refresh_token: refreshToken, resource })

/** What a call at /mcp would find of the token. */
export const holder = (serving: OAuthSite, accessToken: string) =>
  serving.run(
    Effect.flatMap(AccessTokens, (tokens) =>
      tokens.find(createHash("sha256").update(accessToken).digest("hex") as TokenHash)
    )
  )

export const errorOf = async (answer: Response | Promise<Response>) => {
  const { status } = await answer
  const { error } = (await (await answer).json()) as { readonly error?: string }
  return { status, error }
}
