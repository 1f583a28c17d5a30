import type { Notice } from "./Notice.ts"
import { browserName } from "./browserName.ts"
import { minute, oneLine } from "./template.ts"

/** From where a person signed in, and when they last did from there. */
export interface SeenDevice {
  /** A hash: an address is not kept longer than its notice. */
  readonly device: string
  readonly seenAtMs: number
}

/** A device that was not seen for so long is new again. */
export const deviceKnownMs = 30 * 86_400_000

/** `first`: the person's first sign-in of all, which they have just made an account for. */
export type SignInJudgement = "first" | "known" | "new"

export const judgeSignIn = (
  seen: ReadonlyArray<SeenDevice>,
  { device, nowMs }: { readonly device: string; readonly nowMs: number }
): SignInJudgement => {
  if (seen.length === 0) return "first"
  return seen.some((one) => one.device === device && nowMs - one.seenAtMs < deviceKnownMs) ? "known" : "new"
}

/**
 * What tells a device from another: its address and browser. A browser's version changes every month and an
 * IPv6 address within its network every day, so neither counts.
 */
export const deviceText = (seen: { readonly address: string; readonly agent: string | null }): string =>
  JSON.stringify([networkOf(seen.address), (seen.agent ?? "").replaceAll(/[\d._]+/g, "")])

/** The notice of a sign-in from a new device, told once for that device and instant. */
export const signInNotice = (signIn: {
  readonly device: string
  readonly address: string
  readonly agent: string | null
  readonly nowMs: number
}): Notice => ({
  kind: "new_sign_in",
  period: `${signIn.device}:${signIn.nowMs}`,
  values: {
    at: minute(signIn.nowMs),
    address: oneLine(signIn.address),
    agent: browserName(signIn.agent)
  }
})

/** The first four groups of an IPv6 address, `::` written out; any other address as it is. */
const networkOf = (address: string): string => {
  if (!address.includes(":") || address.includes(".")) return address
  const [head = "", tail] = address.toLowerCase().split("::")
  const groups = (text: string): ReadonlyArray<string> => (text === "" ? [] : text.split(":"))
  const [before, after] = [groups(head), groups(tail ?? "")]
  const gap = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  const whole = [...before, ...Array.from({ length: gap }, () => "0"), ...after]
  return whole
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")
}
