import { parseAddress } from "../network/address.ts"

/**
 * The organization whose limits the subject names, `org:<organization id>`; undefined for a test key, whose
 * limits are its own (§8.1.4).
 */
export const organizationOf = (subject: string): string | undefined =>
  subject.startsWith(organizationPrefix) ? subject.slice(organizationPrefix.length) : undefined

/** Whose limits a caller without a credential uses: an address is the same however it is written. */
export const addressSubject = (text: string): string => {
  const address = parseAddress(text)
  return `address:${address === undefined ? text : `${address.family}:${address.bits.toString(16)}`}`
}

const organizationPrefix = "org:"
