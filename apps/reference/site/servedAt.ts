import { guides } from "../../../adapters/http/docs/navigation.ts"

/** Where the service itself shows what a file of the project says. */
const served: ReadonlyMap<string, string> = new Map([
  ...guides.map(({ file, path }) => [file, path] as const),
  ["docs/reference/operations.md", "/docs/operations"],
  ["docs/reference/openapi.json", "/openapi.json"]
])

/** The path under which the service shows a file of the project; undefined: under none. */
export const servedAt = (file: string): string | undefined => served.get(file)
