import { openApi } from "../../adapters/http/openapi.ts"
import { configurationPage } from "./configuration.ts"
import { errorsPage } from "./errors.ts"
import { operationsPage } from "./operations.ts"
import { packsPage } from "./packs.ts"
import { sandboxPage } from "./sandbox.ts"

/** The folder that holds what is generated and nothing else. */
export const referenceFolder = "docs/reference"

/** Every file of the reference with what belongs into it. The addresses of openapi.json are relative here. */
export const pages = {
  "configuration.md": configurationPage,
  "errors.md": errorsPage,
  "openapi.json": () => `${JSON.stringify(openApi(""), null, 2)}\n`,
  "operations.md": operationsPage,
  "packs.md": packsPage,
  "sandbox.md": sandboxPage
} as const satisfies Record<string, () => string>
