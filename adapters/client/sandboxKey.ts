import * as Effect from "effect/Effect"
import type { Scope } from "../../core/operation/scope.ts"
import type { ClientSettings } from "./ClientSettings.ts"
import { makeEffectClient } from "./effectClient.ts"

/** A free test key for `surface: "sandbox"`, for seven days (§5.6); rejects with a CallError. */
export const sandboxKey = (
  settings: Pick<ClientSettings, "baseUrl" | "fetch"> & { readonly scopes?: ReadonlyArray<Scope> }
): Promise<string> => {
  const { scopes, ...at } = settings
  const asked = makeEffectClient(at).createTestKey(scopes === undefined ? {} : { scopes })
  return Effect.runPromise(Effect.map(asked, ({ data }) => data.key))
}
