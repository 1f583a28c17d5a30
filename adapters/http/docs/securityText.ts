import { leakedKeyPath } from "../../../core/call/leakedKey.ts"
import type { Content, DocumentSite } from "./Content.ts"
import { plainText } from "./Content.ts"
import { securityPath } from "./navigation.ts"

/** RFC 9116 §2.5.5 recommends less than a year; every start renews it. */
const goodForMs = 330 * 86_400_000

/** /.well-known/security.txt (RFC 9116): whom to tell of a weakness. */
export const securityText = (publishing: DocumentSite): Content =>
  plainText(
    [
      `# Found an API key? POST it as {"key": "..."} to ${publishing.baseUrl}${leakedKeyPath}:`,
      "# it is revoked at once. No credential is needed.",
      `Contact: ${contactOf(publishing) ?? publishing.baseUrl + securityPath}`,
      `Expires: ${new Date(publishing.startedMs + goodForMs).toISOString()}`,
      "Preferred-Languages: en",
      `Canonical: ${publishing.baseUrl}/.well-known/security.txt`,
      `Policy: ${publishing.baseUrl}${securityPath}`,
      ""
    ].join("\n")
  )

/**
 * Where the operator said that people are to turn to; undefined: nowhere but to our own pages, where nobody
 * answers, or to an address without TLS although the service has it, which RFC 9116 §2.5.3 forbids.
 */
export const contactOf = ({ baseUrl, supportUrl }: DocumentSite): string | undefined => {
  const isOurs = supportUrl.startsWith(`${baseUrl}/docs/`)
  const isWeaker = baseUrl.startsWith("https:") && supportUrl.startsWith("http:")
  return isOurs || isWeaker ? undefined : supportUrl
}
