import { contains, parseNetwork, parseStrictly } from "../network/address.ts"
import type { Address, Network } from "../network/address.ts"

/**
 * Whether an address is one of the public internet's, and so may be dialled. Whatever is not an address in
 * strict writing is not. An IPv4 address is public unless a row denies it; an IPv6 address only within the
 * range that is handed out (2000::/3) and there unless a row denies it, so that mapped, translated,
 * unique-local, link-local and future ranges are refused without a row.
 */
export const isPublicAddress = (text: string): boolean => {
  const address = parseStrictly(text)
  if (address === undefined) return false
  if (address.family === 4) return !within(deniedFour, address)
  return within(globalSix, address) && !within(deniedSix, address)
}

/** Whether two writings name one address; false where either is none. */
export const isSameAddress = (pair: { readonly one: string; readonly other: string }): boolean => {
  const one = parseStrictly(pair.one)
  const other = parseStrictly(pair.other)
  return one !== undefined && one.family === other?.family && one.bits === other.bits
}

const networks = (cidrs: ReadonlyArray<string>): ReadonlyArray<Network> =>
  cidrs.flatMap((cidr) => parseNetwork(cidr) ?? [])

const within = (list: ReadonlyArray<Network>, address: Address): boolean =>
  list.some((network) => contains(network, address))

/** The IANA IPv4 special-purpose registry, and what no registry names. */
const deniedFour = networks([
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private
  "100.64.0.0/10", // shared by carriers
  "127.0.0.0/8", // loopback
  "168.63.129.16/32", // a cloud's own host agent, public in form alone
  "169.254.0.0/16", // link-local, instance metadata
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112
  "192.52.193.0/24", // AMT
  "192.88.99.0/24", // 6to4 relays, deprecated
  "192.168.0.0/16", // private
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarking
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4" // reserved, limited broadcast
])

const globalSix = networks(["2000::/3"])

/** What of 2000::/3 the IANA IPv6 special-purpose registry sets apart. */
const deniedSix = networks([
  "2001::/23", // protocol assignments, Teredo, benchmarking, ORCHID
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4, which embeds an IPv4 address
  "2620:4f:8000::/48", // AS112
  "3fff::/20" // documentation
])
