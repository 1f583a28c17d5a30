import type { Content, Publishing } from "./Content.ts"
import { plainText } from "./Content.ts"

const yearMs = 365 * 86_400_000

/** RFC 9116: whom to tell of a weakness. It is good for a year from the start, and every start renews it. */
export const securityText = ({ baseUrl, startedMs, supportUrl }: Publishing): Content =>
  plainText(
    [
      `Contact: ${supportUrl}`,
      `Expires: ${new Date(startedMs + yearMs).toISOString()}`,
      "Preferred-Languages: en",
      `Canonical: ${baseUrl}/.well-known/security.txt`,
      ""
    ].join("\n")
  )
