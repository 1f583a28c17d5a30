import type { BetterAuthPlugin, DBAdapter, User } from "better-auth"
import { createAuthEndpoint } from "better-auth/api"
import { setSessionCookie } from "better-auth/cookies"
import { generateRandomString } from "better-auth/crypto"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** The link of a verification email works for a day. */
export const signUpMs = 86_400_000

const Form = Schema.Struct({ email: Schema.String })
const Link = Schema.Struct({ token: Schema.String, name: Schema.String, password: Schema.String })
/** A sign-up in the store until its link is opened, under the hash of the token. */
const PendingSignUp = Schema.Struct({ email: Schema.String })
type PendingSignUp = typeof PendingSignUp.Type

/**
 * Sign-up as a plugin that replaces the library's. The library creates an account, with its password, before
 * its address is verified, so a stranger could choose the password of an account that the owner of the
 * address then verifies. Here a sign-up is an address. Its owner chooses name and password after opening the
 * link, so it does not matter who requested the email.
 */
export const signUpPlugin = {
  id: "sign-up",
  endpoints: {
    /** Returns the token for the email, or null if the address has an account. Both take equally long. */
    requestSignUp: createAuthEndpoint(
      { method: "POST", body: Schema.toStandardSchemaV1(Form) },
      async ({ body: { email }, context: { adapter, internalAdapter } }) => {
        await deleteExpired(adapter)
        const known = await internalAdapter.findUserByEmail(email)
        const token = generateRandomString(tokenCharacters, "a-z", "A-Z", "0-9")
        await internalAdapter.createVerificationValue({
          identifier: identifierOf(token),
          value: JSON.stringify({ email } satisfies PendingSignUp),
          expiresAt: new Date(Date.now() + signUpMs)
        })
        return known === null ? token : null
      }
    ),
    /** Returns the address of a token, or null if its link has ended. */
    findSignUp: createAuthEndpoint(
      { method: "POST", body: Schema.toStandardSchemaV1(Schema.Struct({ token: Schema.String })) },
      async ({ body: { token }, context: { internalAdapter } }) => {
        const found = await internalAdapter.findVerificationValue(identifierOf(token))
        const pending = decodePending(found?.value)
        return Result.isFailure(pending) ? null : pending.success.email
      }
    ),
    /** Creates the account of a token and signs in. Null: the link ended or the address has an account. */
    confirmSignUp: createAuthEndpoint(
      { method: "POST", body: Schema.toStandardSchemaV1(Link), requireHeaders: true },
      async (ctx) => {
        const { adapter, internalAdapter } = ctx.context
        const identifier = identifierOf(ctx.body.token)
        const hash = await ctx.context.password.hash(ctx.body.password)
        const consumed = decodePending((await internalAdapter.consumeVerificationValue(identifier))?.value)
        if (Result.isFailure(consumed)) return null
        const { email } = consumed.success
        const { name } = ctx.body
        if ((await internalAdapter.findUserByEmail(email)) !== null) return null
        const at = { createdAt: new Date(), updatedAt: new Date() }
        const user = await adapter.transaction(async (transaction) => {
          const created = await transaction.create<Omit<User, "id">, User>({
            model: "user",
            data: { ...at, email, name, emailVerified: true, image: null }
          })
          const account = {
            userId: created.id,
            accountId: created.id,
            providerId: "credential",
            password: hash
          }
          await transaction.create({ model: "account", data: { ...at, ...account } })
          return created
        })
        const session = await internalAdapter.createSession(user.id)
        await setSessionCookie(ctx, { session, user })
        return { user }
      }
    )
  }
} as const satisfies BetterAuthPlugin

// Expired rows have no use and name people, so every sign-up deletes them.
const deleteExpired = async (adapter: DBAdapter): Promise<void> => {
  const where = [{ field: "expiresAt", value: new Date(), operator: "lt" } as const]
  await adapter.deleteMany({ model: "verification", where })
  await adapter.deleteMany({ model: "session", where })
}

const decodePending = Schema.decodeUnknownResult(Schema.fromJsonString(PendingSignUp))
/** 62^43 is more than 2^256. */
const tokenCharacters = 43
const identifierOf = (token: string): string => `sign-up:${token}`
