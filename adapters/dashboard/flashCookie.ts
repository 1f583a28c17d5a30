import type { CookieText } from "../../core/port/People.ts"
import type { FlashCode } from "./flash.ts"
import { flashes } from "./flash.ts"

/** Long enough to be redirected; then it has nothing more to say. */
const lifeSeconds = 60

/** Carries a code of the closed table to the next page, and is forgotten there. */
export const flashCookie = (isHttps: boolean) => {
  const name = isHttps ? "__Host-said" : "said"
  const rest = `Path=/; HttpOnly; SameSite=Lax${isHttps ? "; Secure" : ""}`
  return {
    set: (code: FlashCode): string => `${name}=${code}; Max-Age=${lifeSeconds}; ${rest}`,
    clear: `${name}=; Max-Age=0; ${rest}`,
    read: (cookie: CookieText): FlashCode | undefined => {
      const pair = (cookie ?? "")
        .split(";")
        .map((each) => each.trim())
        .find((each) => each.startsWith(`${name}=`))
      return codes.find((code) => pair === `${name}=${code}`)
    }
  }
}

const codes = Object.keys(flashes) as ReadonlyArray<FlashCode>
