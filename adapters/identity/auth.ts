import type { BetterAuthOptions } from "better-auth"
import { betterAuth } from "better-auth"
import { passwordCharacters } from "../../core/person/password.ts"
import { hashPassword, verifyPassword } from "./passwordHash.ts"
import { signUpPlugin } from "./signUp.ts"

/** A session ends 30 days after sign-in, however often it is used. */
export const sessionSeconds = 30 * 86_400
/** A link to change the password works for an hour. */
export const resetSeconds = 3_600
/** The header with the caller's address on our calls of the library; no outside header reaches it. */
export const addressHeader = "x-coverage-address"

export interface AuthOptions {
  readonly database: NonNullable<BetterAuthOptions["database"]>
  readonly baseUrl: string
  readonly secret: string
  readonly sendReset: (reset: { readonly to: string; readonly token: string }) => void
  /** Ends the other links to change a password that the person requested. */
  readonly endResets: (personId: string) => Promise<unknown>
}

/**
 * The auth library, used for passwords, sessions and links only. Its router is never mounted; its rate limit,
 * telemetry, log (which contains addresses) and cached cookie are off.
 */
export const makeAuth = (options: AuthOptions) => betterAuth(optionsOf(options))

/** The library's options, which a test also compares with the schema. */
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
      password: { hash: hashPassword, verify: verifyPassword },
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
    plugins: [signUpPlugin]
  }) as const satisfies BetterAuthOptions

/** `__Host-` binds the cookie to this host and HTTPS. Browsers reject it over plain HTTP, in development. */
export const cookieName = (baseUrl: string): string =>
  isSecure(baseUrl) ? "__Host-coverage_session" : "coverage_session"

const isSecure = (baseUrl: string): boolean => baseUrl.startsWith("https://")
