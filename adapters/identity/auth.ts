import type { BetterAuthOptions } from "better-auth"
import { betterAuth } from "better-auth"
import { passwordCharacters } from "../../core/person/password.ts"
import { signingUp } from "./signUp.ts"

/** A session lives for 30 days from its sign-in, however often it is used. */
export const sessionSeconds = 30 * 86_400
/** A link to choose another password works for an hour. */
export const resetSeconds = 3_600
/** Where the caller's address stands on the calls made here; nothing from outside reaches these headers. */
export const addressHeader = "x-coverage-address"

export interface AuthOptions {
  readonly database: NonNullable<BetterAuthOptions["database"]>
  readonly baseUrl: string
  readonly secret: string
  readonly sendReset: (letter: { readonly to: string; readonly token: string }) => void
  /** Ends the other links to choose a password that somebody has asked for. */
  readonly endResets: (personId: string) => Promise<unknown>
}

/**
 * The library of people as it is used here: passwords, sessions and links, and nothing that speaks to the
 * outside. Its router is never mounted; its limiter, its telemetry, its log (which names addresses) and its
 * cached cookie are off.
 */
export const makeAuth = (options: AuthOptions) => betterAuth(optionsOf(options))

/** The same as plain options, which the comparison of schemas takes. */
export const optionsOf = ({ baseUrl, database, endResets, secret, sendReset }: AuthOptions) =>
  ({
    database,
    baseURL: baseUrl,
    secret,
    telemetry: { enabled: false },
    logger: { disabled: true },
    rateLimit: { enabled: false },
    verification: { storeIdentifier: "hashed" },
    session: { expiresIn: sessionSeconds, disableSessionRefresh: true, cookieCache: { enabled: false } },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      requireEmailVerification: true,
      minPasswordLength: passwordCharacters.min,
      maxPasswordLength: passwordCharacters.max,
      resetPasswordTokenExpiresIn: resetSeconds,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ token, user }) => Promise.resolve(sendReset({ to: user.email, token })),
      onPasswordReset: async ({ user }) => void (await endResets(user.id))
    },
    advanced: {
      useSecureCookies: false,
      cookies: { session_token: { name: cookieName(baseUrl), attributes: { secure: isSecure(baseUrl) } } },
      ipAddress: { ipAddressHeaders: [addressHeader] },
      database: { validateSchema: false }
    },
    plugins: [signingUp]
  }) as const satisfies BetterAuthOptions

/**
 * `__Host-` binds the cookie to this host, HTTPS and the whole of its paths. A browser takes it over HTTPS
 * only, so that development over plain HTTP goes without.
 */
export const cookieName = (baseUrl: string): string =>
  isSecure(baseUrl) ? "__Host-coverage_session" : "coverage_session"

const isSecure = (baseUrl: string): boolean => baseUrl.startsWith("https://")
