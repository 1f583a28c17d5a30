import type { Method } from "../operation/Operation.ts"

/** A request to send as it stands, written so that it can be pasted into a shell. */
export interface ProvokingRequest {
  readonly method: Method
  /** From the root, with its query. */
  readonly path: string
  /**
   * What Authorization holds: the reader's own test key, one with the certified scope, nothing at all, or
   * this.
   */
  readonly authorization: "own" | "certified" | "none" | `${string} ${string}`
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** How an error code is met on purpose (contract §3). */
export interface Provocation {
  /** What brings the error about, for a reader who would meet it by accident. */
  readonly because: string
  /** Sent first, where one request alone does not do it. */
  readonly first?: ProvokingRequest
  readonly request: ProvokingRequest
}
