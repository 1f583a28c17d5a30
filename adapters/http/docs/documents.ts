import type { Content, DocumentSite } from "./Content.ts"
import { guides, securityPath } from "./navigation.ts"
import { securityPage } from "./securityPage.ts"
import { securityText } from "./securityText.ts"
import type { StaticFile } from "./staticFile.ts"
import { staticContent } from "./staticFile.ts"

/** A document that the service shows. */
interface Document {
  readonly path: `/${string}`
  readonly write: (site: DocumentSite) => Content | Promise<Content>
}

/** What is the same for every service but for its addresses: written once, by `npm run generate`. */
export const staticFiles: ReadonlyArray<StaticFile> = [
  { path: "/docs", file: "reference.html" },
  { path: "/docs/operations", file: "operations.html" },
  ...guides.map(({ path, isAddressed }): StaticFile => {
    const file = `${path.slice("/docs/".length)}.html`
    return isAddressed === undefined ? { path, file } : { path, file, isAddressed }
  }),
  { path: "/docs/changelog.atom", file: "changelog.atom", isAddressed: true },
  { path: "/llms.txt", file: "llms.txt", isAddressed: true },
  { path: "/robots.txt", file: "robots.txt" }
]

/** All that the service says of itself: one row for each path. */
export const documents: ReadonlyArray<Document> = [
  ...staticFiles.map((file): Document => ({ path: file.path, write: (site) => staticContent(file, site) })),
  { path: securityPath, write: securityPage },
  {
    path: "/openapi.json",
    write: ({ baseUrl }) => import("./openApiDocument.ts").then((made) => made.openApiDocument(baseUrl))
  },
  { path: "/.well-known/security.txt", write: securityText }
]
