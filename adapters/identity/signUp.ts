import type { BetterAuthPlugin, DBAdapter, User } from "better-auth"
import { createAuthEndpoint } from "better-auth/api"
import { setSessionCookie } from "better-auth/cookies"
import { generateRandomString } from "better-auth/crypto"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/** A link of a verification letter works for a day. */
export const signUpMs = 86_400_000

const Form = Schema.Struct({ name: Schema.String, email: Schema.String, password: Schema.String })
const Link = Schema.Struct({ token: Schema.String, password: Schema.String })
/** What waits in the store for its link: under the hash of the token, and with the hash of the password. */
const Asked = Schema.Struct({ name: Schema.String, email: Schema.String, hash: Schema.String })
type Asked = typeof Asked.Type

/**
 * Signing up as a plugin of the library's, in place of its own. There, an account is written before its
 * address is verified, and a stranger could choose the password of an account that the address's owner then
 * verifies. Here nothing stands under the address until the link is opened by who knows the password of the
 * form that asked for it: a letter that a stranger asked for opens nothing to who received it.
 */
export const signingUp = {
  id: "signing-up",
  endpoints: {
    /** Answers the token for the letter; null: there is an account. Both take as long. */
    askSignUp: createAuthEndpoint(
      { method: "POST", body: Schema.toStandardSchemaV1(Form) },
      async ({ body: { email, name, password }, context }) => {
        const { adapter, internalAdapter } = context
        const hash = await context.password.hash(password)
        await sweep(adapter)
        if ((await internalAdapter.findUserByEmail(email)) !== null) return null
        const token = generateRandomString(tokenCharacters, "a-z", "A-Z", "0-9")
        await internalAdapter.createVerificationValue({
          identifier: identifierOf(token),
          value: JSON.stringify({ email, name, hash } satisfies Asked),
          expiresAt: new Date(Date.now() + signUpMs)
        })
        return token
      }
    ),
    /**
     * Makes the account of a token's form and signs in; null: the link ended, or the address has one;
     * "wrong": the password is another, and the link stays.
     */
    confirmSignUp: createAuthEndpoint(
      { method: "POST", body: Schema.toStandardSchemaV1(Link), requireHeaders: true },
      async (ctx) => {
        const { adapter, internalAdapter } = ctx.context
        const identifier = identifierOf(ctx.body.token)
        const waiting = decodeAsked((await internalAdapter.findVerificationValue(identifier))?.value)
        if (Result.isFailure(waiting)) return null
        const pair = { hash: waiting.success.hash, password: ctx.body.password }
        if (!(await ctx.context.password.verify(pair))) return "wrong" as const
        const consumed = await internalAdapter.consumeVerificationValue(identifier)
        const asked = decodeAsked(consumed?.value)
        if (Result.isFailure(asked)) return null
        const { email, hash, name } = asked.success
        if ((await internalAdapter.findUserByEmail(email)) !== null) return null
        const at = { createdAt: new Date(), updatedAt: new Date() }
        const user = await adapter.transaction(async (within) => {
          const made = await within.create<Omit<User, "id">, User>({
            model: "user",
            data: { ...at, email, name, emailVerified: true, image: null }
          })
          const account = { userId: made.id, accountId: made.id, providerId: "credential", password: hash }
          await within.create({ model: "account", data: { ...at, ...account } })
          return made
        })
        const session = await internalAdapter.createSession(user.id)
        await setSessionCookie(ctx, { session, user })
        return { user }
      }
    )
  }
} as const satisfies BetterAuthPlugin

// What ended is of no use to anybody and names people: whoever signs up takes it away.
const sweep = async (adapter: DBAdapter): Promise<void> => {
  const where = [{ field: "expiresAt", value: new Date(), operator: "lt" } as const]
  await adapter.deleteMany({ model: "verification", where })
  await adapter.deleteMany({ model: "session", where })
}

const decodeAsked = Schema.decodeUnknownResult(Schema.fromJsonString(Asked))
/** 62 characters to the 43rd are more than 2 to the 256th. */
const tokenCharacters = 43
const identifierOf = (token: string): string => `sign-up:${token}`
