import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** What a look-up of a host name came to. */
export type Resolution =
  /**
   * Every address of the name, of both families, in the resolver's order; at least one, judged by nobody
   * yet.
   */
  | { readonly _tag: "Resolved"; readonly addresses: ReadonlyArray<string> }
  /** The name does not exist, or has no address. */
  | { readonly _tag: "Unresolved" }
  /** Nobody could say: the resolver is unavailable, refuses, or fails. */
  | { readonly _tag: "ResolverDown" }

/**
 * Host names and their addresses, as the public name system tells them.
 *
 * 1. `resolve` never fails and ends within ten seconds: what went wrong is a Resolution.
 * 2. It asks each time and remembers nothing: what is dialled is what was answered for that very call.
 * 3. It answers from the name system alone: no file of the machine, no search list.
 * 4. It gives every answer it got and judges none: that is the guard's part (webhook/target.ts).
 */
export class Addresses extends Context.Service<
  Addresses,
  {
    /** `name` is in ASCII, without a dot at its end, and not an address. */
    readonly resolve: (name: string) => Effect.Effect<Resolution>
  }
>()("coverage/core/port/Addresses") {}
