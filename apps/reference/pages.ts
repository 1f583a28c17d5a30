import { openApi } from "../../adapters/http/openapi.ts"
import type { SandboxAnswers } from "../../adapters/http/openapi/examples.ts"
import { configurationPage } from "./configuration.ts"
import { errorsPage } from "./errors.ts"
import { operationsPage } from "./operations.ts"
import { packsPage } from "./packs.ts"
import { sandboxPage } from "./sandbox.ts"

/** The folder that holds what is generated and nothing else. */
export const referenceFolder = "docs/reference"

/** Every file of the reference with what belongs into it. The addresses of openapi.json are relative here. */
export const pages = (answers: SandboxAnswers) =>
  ({
    "configuration.md": configurationPage,
    "errors.md": errorsPage,
    "openapi.json": () => json(openApi("", answers)),
    "operations.md": operationsPage,
    "packs.md": packsPage,
    "sandbox.md": sandboxPage
  }) as const satisfies Record<string, () => string>

/** What a running service keeps of the sandbox's answers, for its own openapi.json. */
export const answersFile = "adapters/http/openapi/sandboxAnswers.json"

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
