import { createHmac, timingSafeEqual } from "node:crypto"

/** How a session's cookie is named and signed. Its value is `<token>.<signature>`. */
export interface SessionCookie {
  readonly name: string
  /** All verify; the first one signs. */
  readonly secrets: readonly [string, ...ReadonlyArray<string>]
}

/**
 * The session token in a `Cookie` header, or undefined if none of our secrets signed one. The bare token, as
 * the store has it, signs nobody in.
 */
export const tokenIn = (header: string, { name, secrets }: SessionCookie): string | undefined => {
  const value = header
    .split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)
  const text = value === undefined ? undefined : decoded(value)
  const dot = text?.lastIndexOf(".") ?? -1
  if (text === undefined || dot < 1) return undefined
  const token = text.slice(0, dot)
  const signature = Buffer.from(text.slice(dot + 1), "base64")
  return secrets.some((secret) => isSigned(token, signature, secret)) ? token : undefined
}

/**
 * The header that the library takes for a token. The library knows only the first secret, so a cookie that an
 * older one signed is signed again here.
 */
export const headerOf = (token: string, { name, secrets }: SessionCookie): string =>
  `${name}=${encodeURIComponent(`${token}.${signatureOf(token, secrets[0]).toString("base64")}`)}`

const signatureOf = (token: string, secret: string): Buffer =>
  createHmac("sha256", secret).update(token, "utf8").digest()

const isSigned = (token: string, signature: Buffer, secret: string): boolean => {
  const expected = signatureOf(token, secret)
  return signature.length === expected.length && timingSafeEqual(signature, expected)
}

const decoded = (value: string): string | undefined => {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}
