import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** What came of asking for a document. */
export type FetchResult =
  | {
      readonly _tag: "Fetched"
      readonly status: number
      /** In lower case. */
      readonly headers: Readonly<Record<string, string>>
      readonly text: string
    }
  /** The URL may not be called, nothing answered in time, or what answered is too long or no text. */
  | { readonly _tag: "Refused" }

/**
 * JSON documents on the public internet, behind the guard of every outbound call.
 *
 * 1. `get` never fails: what went wrong is `Refused`, which tells nothing of the network behind.
 * 2. Nothing is sent to a URL that is not https to a public address, whatever its name resolves to.
 * 3. One request is sent: a redirect is an answer like another.
 * 4. It ends within its deadline, and a body of more than 64 KiB is refused.
 */
export class Documents extends Context.Service<
  Documents,
  {
    readonly get: (request: {
      readonly url: string
      readonly deadlineMs: number
    }) => Effect.Effect<FetchResult>
  }
>()("coverage/core/port/Documents") {}
