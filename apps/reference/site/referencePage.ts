import { surfacePrefix } from "../../../core/operation/Operation.ts"
import { keyRequest } from "../../../core/sandbox/guide.ts"
import { html } from "../../../adapters/html/html.ts"
import { scriptPaths } from "../../../adapters/http/docs/assets.ts"
import { operationsTable } from "./operations.ts"
import { page } from "../../../adapters/http/docs/page.ts"

/**
 * /docs: the interactive reference, over the table of operations, which stays where no script runs. Whatever
 * it loads, asks and tries is this service's own.
 */
export const referencePage = (): string => {
  const { reference, scalar } = scriptPaths()
  return page("/docs", "Reference", operationsTable(), {
    script: reference,
    beside: html`<div id="reference" data-script="${scalar}" data-description="/openapi.json"
data-keys="${keyRequest.path}" data-sandbox="${surfacePrefix.sandbox}" data-live="${surfacePrefix.live}"></div>
<p id="key-status" role="status"></p>`
  }).body
}
