/** In the order of looking: most browsers also name those that they imitate. */
const browsers = [
  ["Edg", "Edge"],
  ["OPR/", "Opera"],
  ["SamsungBrowser", "Samsung Internet"],
  ["Firefox/", "Firefox"],
  ["FxiOS", "Firefox"],
  ["CriOS", "Chrome"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"]
] as const

const systems = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"]
] as const

/**
 * Returns the browser and system of a `User-Agent` header, such as `Firefox on Linux`. Both come from a fixed
 * list, because an attacker chooses the header, and the name is stored, logged and emailed to the owner.
 */
export const browserName = (agent: string | null): string => {
  const named = (list: ReadonlyArray<readonly [string, string]>) =>
    list.find(([token]) => agent?.includes(token) === true)?.[1]
  const browser = named(browsers) ?? "an unknown browser"
  const system = named(systems)
  return system === undefined ? browser : `${browser} on ${system}`
}
