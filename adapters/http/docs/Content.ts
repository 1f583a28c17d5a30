import { openToAll } from "../openToAll.ts"

/** What a path of the documentation answers, whoever asks. */
export interface Content {
  readonly contentType: string
  readonly body: string | Uint8Array
  readonly headers: Readonly<Record<string, string>>
  /** How `body` is packed already; absent: it is plain. */
  readonly packed?: "gzip"
}

/** Content that is text, and is sent as it stands. */
export interface Text extends Content {
  readonly body: string
}

/** What a page needs to know of the service that shows it. */
export interface DocumentSite {
  /** Without a slash at its end. */
  readonly baseUrl: string
  readonly supportUrl: string
  /** When the service started, Unix ms. */
  readonly startedMs: number
}

/** How long a page may be kept by whoever asked for it: a new version of the service is seen soon. */
const pageSeconds = 300

export const briefly = { "cache-control": `public, max-age=${pageSeconds}` } as const

/** The same for what programs read: pages of every origin may (contract §1, CORS). */
export const openly = { ...briefly, ...openToAll } as const

/** For what has a hash of its content in its path. */
export const forGood = { "cache-control": "public, max-age=31536000, immutable" } as const

/** A text that is no page. */
export const plainText = (body: string, contentType = "text/plain; charset=utf-8"): Text => ({
  contentType,
  body,
  headers: openly
})
