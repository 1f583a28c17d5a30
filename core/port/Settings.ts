import * as Context from "effect/Context"

/**
 * What the operator decides and the handlers need to know; read once from the environment by
 * apps/http/config.ts.
 */
export class Settings extends Context.Service<
  Settings,
  {
    /** Without a slash at its end. */
    readonly baseUrl: string
    /** Where `contact support` points; named in hints. */
    readonly supportUrl: string
    /** The first signs, all verify (cursors). */
    readonly secretKeys: readonly [string, ...ReadonlyArray<string>]
  }
>()("coverage/core/port/Settings") {}
