import { createHmac, timingSafeEqual } from "node:crypto"

/** A session's cookie as it is sent: the token and its signature. */
export interface SessionCookie {
  readonly name: string
  /** Those that verify; the first one signs. */
  readonly secrets: readonly [string, ...ReadonlyArray<string>]
}

/**
 * The token of a session in a `Cookie` header; undefined: none, or one that no secret of ours has signed. The
 * token alone, as the store has it, signs nobody in.
 */
export const tokenIn = (header: string, { name, secrets }: SessionCookie): string | undefined => {
  const value = header
    .split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)
  const written = value === undefined ? undefined : decoded(value)
  const dot = written?.lastIndexOf(".") ?? -1
  if (written === undefined || dot < 1) return undefined
  const token = written.slice(0, dot)
  const signature = Buffer.from(written.slice(dot + 1), "base64")
  return secrets.some((secret) => isSigned(token, signature, secret)) ? token : undefined
}

/**
 * The header that the library takes for a token: it knows one secret only, so that a cookie which an older
 * one signed is signed anew on its way in.
 */
export const headerOf = (token: string, { name, secrets }: SessionCookie): string =>
  `${name}=${encodeURIComponent(`${token}.${signatureOf(token, secrets[0]).toString("base64")}`)}`

const signatureOf = (token: string, secret: string): Buffer =>
  createHmac("sha256", secret).update(token, "utf8").digest()

const isSigned = (token: string, signature: Buffer, secret: string): boolean => {
  const wanted = signatureOf(token, secret)
  return signature.length === wanted.length && timingSafeEqual(signature, wanted)
}

const decoded = (value: string): string | undefined => {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}
