/** A page of the documentation: its name in the navigation, and what it says for who looks from outside. */
export interface Place {
  readonly path: `/${string}`
  readonly name: string
  readonly says: string
}

/** A page that is a guide of the project's own `docs`. */
export interface Guide extends Place {
  /** From the root of the project. */
  readonly file: string
  /** Contains stand-ins for the addresses of the service that shows it. */
  readonly isAddressed?: true
}

/** Where the service says how it is. */
export const statusPath = "/status"

/** Where it says whom to tell of a weakness. */
export const securityPath = "/docs/security"

/** Where a person reads how to connect an assistant. */
export const mcpPage = "/docs/mcp" as const

/** The guides that callers of the API read; operators read theirs in the tree. */
export const guides: ReadonlyArray<Guide> = [
  {
    path: "/docs/quickstart",
    name: "Quick start",
    says: "From nothing to a coverage answer and to a verified webhook, in curl, TypeScript and Python",
    file: "docs/quickstart.md"
  },
  {
    path: "/docs/reading-a-coverage-answer",
    name: "Coverage answers",
    says: "How to read a coverage answer: status, conditions, gaps, risk, prior authorization, trace",
    file: "docs/reading-a-coverage-answer.md"
  },
  {
    path: "/docs/errors",
    name: "Errors",
    says: "Every error code: what happened, how to fix it, whether to retry",
    file: "docs/reference/errors.md",
    isAddressed: true
  },
  {
    path: "/docs/sandbox",
    name: "Sandbox",
    says: "A free test key, requests that succeed, and a request for every error",
    file: "docs/reference/sandbox.md",
    isAddressed: true
  },
  {
    path: "/docs/client",
    name: "Client",
    says: "The typed client of the package, for browsers and Node: errors, retries, lists, webhooks",
    file: "docs/client.md"
  },
  {
    path: mcpPage,
    name: "MCP",
    says: "Connect Claude, ChatGPT, Cursor, VS Code and other agents: the address, the tools and their costs",
    file: "docs/mcp.md",
    isAddressed: true
  },
  {
    path: "/docs/webhooks",
    name: "Webhooks",
    says: "Endpoints, headers, how to verify a signature, retries, states, limits",
    file: "docs/webhooks.md"
  },
  {
    path: "/docs/releases",
    name: "Releases",
    says: "Certified releases, and how to verify one without the service",
    file: "docs/releases.md"
  },
  {
    path: "/docs/phi",
    name: "Patient data",
    says: "What is refused as a patient identifier",
    file: "docs/phi.md"
  },
  {
    path: "/docs/promises",
    name: "Promises",
    says: "What stays as it is in v1, and how a change would be announced",
    file: "docs/promises.md"
  },
  {
    path: "/docs/objectives",
    name: "Objectives",
    says: "What the service aims for, how each figure is measured, and what the status page tells",
    file: "docs/objectives.md"
  },
  {
    path: "/docs/changelog",
    name: "Changes",
    says: "What changed, newest first; also as a feed at /docs/changelog.atom",
    file: "CHANGELOG.md"
  }
]

const [quickstart, ...others] = guides

/** Every page, in the order of its navigation. */
export const navigation: ReadonlyArray<Place> = [
  {
    path: "/docs",
    name: "Reference",
    says: "Every operation, interactive: try each with a test key of the sandbox"
  },
  ...(quickstart === undefined ? [] : [quickstart]),
  {
    path: "/docs/operations",
    name: "Operations",
    says: "Every operation with its scope, its cost and its errors, in one table"
  },
  ...others,
  {
    path: securityPath,
    name: "Security",
    says: "What to do with a key that leaked, and whom to tell of a weakness"
  },
  {
    path: statusPath,
    name: "Status",
    says: `How the service is now, and the outages that it saw; as JSON at ${statusPath}.json`
  }
]
