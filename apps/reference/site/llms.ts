import { operationIds, operationRow } from "../../../core/operation/catalogue.ts"
import type { OperationId } from "../../../core/operation/catalogue.ts"
import { surfacePrefix } from "../../../core/operation/Operation.ts"
import { requirements } from "../../../core/operation/scope.ts"
import { keyRequest } from "../../../core/sandbox/guide.ts"
import { testKeyDays } from "../../../core/sandbox/testKey.ts"
import { standIns } from "../../../adapters/http/docs/staticFile.ts"
import { navigation } from "../../../adapters/http/docs/navigation.ts"

const { baseUrl } = standIns

/** /llms.txt: the service on one page for a reader that is a program, from the same tables as all else. */
export const llmsText = (): string =>
  [
    "# Coverage-Policy API",
    "",
    "> What Medicare and payer policies say: policies, the codes they name, coverage, prior authorization" +
      " and claim checks, as JSON over HTTPS. It takes rule-level inputs only: never send patient data.",
    "",
    `- Live: ${baseUrl}${surfacePrefix.live}, with \`Authorization: Bearer <API_KEY>\`.`,
    `- Sandbox: ${baseUrl}${surfacePrefix.sandbox}, the same operations over invented data. ` +
      `${keyRequest.method} ${baseUrl}${keyRequest.path} answers a free key for ${testKeyDays} days.`,
    "- A success is `{success: true, data, meta}`, an error `{success: false, error: {code, message," +
      " hint, docUrl, retryable}, meta}`. Branch on `error.code`; retry only when `error.retryable` is true.",
    "- Lists are paged by `cursor` and `limit`; `meta.pagination.cursor` is the next page's.",
    "- A POST with `X-Idempotency-Key` runs once however often it is sent.",
    "",
    "## Documentation",
    "",
    ...navigation.map(({ name, path, says }) => `- [${name}](${baseUrl}${path}): ${says}`),
    `- [OpenAPI 3.1](${baseUrl}/openapi.json): every operation, event and error, with real answers as examples`,
    "",
    "## Operations",
    "",
    ...operationIds.map(line),
    ""
  ].join("\n")

const line = (id: OperationId): string => {
  const { credits, method, onlyOn, path, requirement, summary } = operationRow(id)
  const prefix = onlyOn === undefined ? "" : `${surfacePrefix[onlyOn]}`
  const scope = requirement === null ? "no key" : requirements[requirement].join(" or ")
  const cost = credits === 1 ? "1 credit" : `${credits} credits`
  return `- ${method} ${prefix}${path}: ${summary} (${scope}; ${cost})`
}
