import type { Content, DocumentSite } from "./Content.ts"
import { changelogFeed } from "./changelogFeed.ts"
import { guidePage } from "./guidePage.ts"
import { llmsText } from "./llms.ts"
import { guides, securityPath } from "./navigation.ts"
import { operationsPage } from "./operations.ts"
import { referencePage } from "./referencePage.ts"
import { robotsText } from "./robotsText.ts"
import { securityPage } from "./securityPage.ts"
import { securityText } from "./securityText.ts"

/** A document that the service shows; undefined: what it is made from is not installed with the service. */
interface Document {
  readonly path: `/${string}`
  readonly write: (publishing: DocumentSite) => Content | undefined | Promise<Content | undefined>
}

/** All that the service says of itself: one row for each path. */
export const documents: ReadonlyArray<Document> = [
  { path: "/docs", write: referencePage },
  { path: "/docs/operations", write: operationsPage },
  { path: securityPath, write: securityPage },
  ...guides.map((guide): Document => ({ path: guide.path, write: (site) => guidePage(guide, site) })),
  { path: "/docs/changelog.atom", write: changelogFeed },
  {
    path: "/openapi.json",
    write: ({ baseUrl }) => import("./openApiDocument.ts").then((made) => made.openApiDocument(baseUrl))
  },
  { path: "/llms.txt", write: llmsText },
  { path: "/robots.txt", write: robotsText },
  { path: "/.well-known/security.txt", write: securityText }
]
