/**
 * Address allow-lists (contract §1, Keys). An address is its family and its bits; an IPv4 address mapped into
 * IPv6 (`::ffff:192.0.2.1`) is the IPv4 address it means.
 */
export interface Address {
  readonly family: 4 | 6
  readonly bits: bigint
}

export interface Network {
  readonly address: Address
  readonly prefixLength: number
}

const widthOf = { 4: 32, 6: 128 } as const

/** As a caller's is read: a zone is left out, and a mapped address is the IPv4 address. Undefined: none. */
export const parseAddress = (text: string): Address | undefined => {
  const [host = "", zone] = text.split("%")
  const address = parseStrictly(host)
  if (address?.family === 4) return zone === undefined ? address : undefined
  return address !== undefined && address.bits >> 32n === 0xffffn
    ? { family: 4, bits: address.bits & 0xffff_ffffn }
    : address
}

/**
 * An address as it is written: four decimal numbers without leading zeros, or the text forms of RFC 4291
 * without a zone. A mapped address (`::ffff:192.0.2.1`) stays the IPv6 address it is written as.
 */
export const parseStrictly = (text: string): Address | undefined => {
  const four = fourBits(text)
  if (four !== undefined) return { family: 4, bits: four }
  const six = sixBits(text)
  return six === undefined ? undefined : { family: 6, bits: six }
}

/**
 * Returns the address in a member of X-Forwarded-For, without its port, brackets and zone: Azure writes
 * `203.0.113.7:17085`, others `[2001:db8::7]:4443` (contract §1). Returns undefined if it is not an address.
 */
export const forwardedAddress = (member: string): string | undefined => {
  const [, six, four, port = "0"] = memberForm.exec(member) ?? []
  const [address = ""] = (six ?? four ?? member).split("%", 1)
  return Number(port) <= portMax && parseAddress(address) !== undefined ? address : undefined
}

/** An IPv6 address in brackets or an IPv4 address, each with or without a port. */
const memberForm = /^(?:\[([^[\]]*:[^[\]]*)\]|([^:[\]]*))(?::(\d{1,5}))?$/

const portMax = 65_535

/** `192.0.2.0/24`, `2001:db8::/32`, or one address. */
export const parseNetwork = (text: string): Network | undefined => {
  const [host = "", length, ...rest] = text.split("/")
  const address = parseAddress(host)
  if (address === undefined || rest.length > 0) return undefined
  const width = widthOf[address.family]
  if (length === undefined) return { address, prefixLength: width }
  if (!/^\d{1,3}$/.test(length) || Number(length) > width) return undefined
  return { address, prefixLength: Number(length) }
}

export const contains = (network: Network, address: Address): boolean => {
  if (network.address.family !== address.family) return false
  const shift = BigInt(widthOf[address.family] - network.prefixLength)
  return network.address.bits >> shift === address.bits >> shift
}

/** An empty list allows every address; an address that cannot be read is allowed by no list. */
export const isAllowed = (cidrs: ReadonlyArray<string>, text: string): boolean => {
  if (cidrs.length === 0) return true
  const address = parseAddress(text)
  if (address === undefined) return false
  return cidrs.some((cidr) => {
    const network = parseNetwork(cidr)
    return network !== undefined && contains(network, address)
  })
}

/** Whether an allow-list names the origin; origins compare without regard to case. */
export const isOriginListed = (allowed: ReadonlyArray<string>, origin: string): boolean =>
  allowed.some((entry) => entry.toLowerCase() === origin.toLowerCase())

const fourBits = (text: string): bigint | undefined => {
  const parts = text.split(".")
  const isWritten = parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part))
  if (!isWritten || parts.some((part) => Number(part) > 255)) return undefined
  return parts.reduce((bits, part) => (bits << 8n) | BigInt(part), 0n)
}

const sixGroups = 8

const sixBits = (text: string): bigint | undefined => {
  const [head = "", tail, ...more] = text.split("::")
  if (more.length > 0 || (tail !== undefined && head.includes("."))) return undefined
  const left = groupsOf(head)
  const right = tail === undefined ? [] : groupsOf(tail)
  if (left === undefined || right === undefined) return undefined
  const missing = sixGroups - left.length - right.length
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined
  return [...left, ...Array.from({ length: missing }, () => 0n), ...right].reduce(
    (bits, group) => (bits << 16n) | group,
    0n
  )
}

/** The 16-bit groups of one side of `::`; the very last may be written as an IPv4 address, which is two. */
const groupsOf = (side: string): ReadonlyArray<bigint> | undefined => {
  if (side === "") return []
  const parts = side.split(":")
  const groups: Array<bigint> = []
  for (const [index, part] of parts.entries()) {
    const four = index === parts.length - 1 ? fourBits(part) : undefined
    if (four !== undefined) groups.push(four >> 16n, four & 0xffffn)
    else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(BigInt(`0x${part}`))
    else return undefined
  }
  return groups
}
