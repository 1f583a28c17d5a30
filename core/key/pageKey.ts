import type { IsoTime } from "../coverage/date.ts"
import type { Scope } from "../operation/scope.ts"
import { keyOverlapMs } from "./change.ts"
import type { KeyRecord, KeyState } from "./state.ts"

/** What a key that a person makes on the page carries: it never writes (§5.7). */
export const pageScopes = ["read"] as const satisfies ReadonlyArray<Scope>

/** For reading in a list, and no place for a document. */
export const keyNameCharactersMax = 100

/** An organization's keys that can still be used; beyond these somebody has lost count of them. */
export const usableKeysMax = 100

/** Why a name is not taken. */
export type KeyNameFault = "required" | "too_long" | "invalid"

/** A name as it is kept: on one line, spaces around it left out. */
export const readKeyName = (
  text: string
):
  | { readonly _tag: "Name"; readonly name: string }
  | { readonly _tag: "Fault"; readonly code: KeyNameFault } => {
  const name = text.trim().replaceAll(/\s+/g, " ")
  if (name === "") return { _tag: "Fault", code: "required" }
  if ([...name].length > keyNameCharactersMax) return { _tag: "Fault", code: "too_long" }
  return unprintable.test(name) ? { _tag: "Fault", code: "invalid" } : { _tag: "Name", name }
}

// Controls, and marks that make the rest of a line read the other way round.
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

/** Why no other key takes a key's place from the page. */
export type RotationFault =
  /** The page makes no key that writes, and no certified one (§5.7): the operator rotates these. */
  | "not_read_only"
  /** Revoked, suspended or expired: what does not work is not carried on. */
  | "not_usable"
  /** It ends before the overlap would, as one does that was rotated already. */
  | "ends_soon"

/** Whether a key may be rotated on the page now. */
export const rotationFault = (
  key: KeyRecord,
  { state, overlapEnd }: { readonly state: KeyState; readonly overlapEnd: IsoTime }
): RotationFault | undefined => {
  if (state !== "valid") return "not_usable"
  if (key.mode !== "live" || key.scopes.join() !== pageScopes.join()) return "not_read_only"
  return key.expiresAt !== null && key.expiresAt <= overlapEnd ? "ends_soon" : undefined
}

/** When a key that is rotated now stops working, Unix ms. */
export const overlapEndMs = (nowMs: number): number => nowMs + keyOverlapMs
