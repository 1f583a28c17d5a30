import { parseAddress } from "../network/address.ts"

/**
 * The organization whose limits the subject names, `org:<organization id>`; undefined for a test key, whose
 * limits are its own (§8.1.4).
 */
export const organizationOf = (subject: string): string | undefined =>
  subject.startsWith(organizationPrefix) ? subject.slice(organizationPrefix.length) : undefined

/**
 * Returns the subject that a caller without a credential is counted by: its IPv4 address, or the /64 network
 * of its IPv6 address, because a household or a host has a whole /64 to change addresses in (contract §1).
 * The writing of the address does not matter.
 */
export const addressSubject = (text: string): string => {
  const address = parseAddress(text)
  if (address === undefined) return `address:${text}`
  const bits = address.family === 6 ? address.bits >> 64n : address.bits
  return `address:${address.family}:${bits.toString(16)}`
}

/**
 * Returns the site of an address, which waits for one turn at a time (passwordTurns.ts): its IPv4 address, or
 * the /48 network that a site is assigned, in which a caller has 65,536 /64 networks to change between.
 */
export const siteSubject = (text: string): string => {
  const address = parseAddress(text)
  return address?.family === 6 ? `site:6:${(address.bits >> 80n).toString(16)}` : addressSubject(text)
}

const organizationPrefix = "org:"
