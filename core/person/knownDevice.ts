/**
 * A device that signed in to an account carries a cookie that proves it for that account alone. Its attempts
 * are counted apart from all others, so strangers cannot use up the attempts of an account's owner.
 */
export const knownDeviceDays = 180

/** The name of the cookie. `__Host-` binds it to this host and HTTPS; browsers reject it over HTTP. */
export const knownDeviceCookie = (baseUrl: string): string =>
  baseUrl.startsWith("https://") ? "__Host-coverage_device" : "coverage_device"

/** What the signature of the cookie covers. The email is not in the cookie. */
export const knownDeviceText = ({
  email,
  atSeconds
}: {
  readonly email: string
  readonly atSeconds: number
}) => JSON.stringify(["coverage-policy known device v1", email.trim().toLowerCase(), atSeconds])

/** Returns the `Set-Cookie` line of a device that signed in at `atSeconds`. */
export const knownDeviceLine = (given: {
  readonly baseUrl: string
  readonly atSeconds: number
  readonly signature: string
}): string => {
  const secure = given.baseUrl.startsWith("https://") ? "; Secure" : ""
  const pair = `${knownDeviceCookie(given.baseUrl)}=${given.atSeconds}.${given.signature}`
  return `${pair}; Max-Age=${knownDeviceDays * 86_400}; Path=/; HttpOnly${secure}; SameSite=Lax`
}

/** Returns the value of the cookie in a `Cookie` header if it is not too old, not yet verified. */
export const readKnownDevice = (
  header: string | null,
  { baseUrl, nowMs }: { readonly baseUrl: string; readonly nowMs: number }
): { readonly atSeconds: number; readonly signature: string } | undefined => {
  const name = `${knownDeviceCookie(baseUrl)}=`
  const pair = header?.split(";").find((one) => one.trim().startsWith(name))
  const [, at = "", signature = ""] =
    /^(\d{1,11})\.([\w-]{43})$/.exec(pair?.trim().slice(name.length) ?? "") ?? []
  const atSeconds = Number(at)
  const ageSeconds = nowMs / 1_000 - atSeconds
  if (signature === "" || ageSeconds > knownDeviceDays * 86_400) return undefined
  return { atSeconds, signature }
}
