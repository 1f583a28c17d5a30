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

/** Undefined: not an address in its usual writing. */
export const parseAddress = (text: string): Address | undefined => {
  const four = parseFour(text)
  if (four !== undefined) return { family: 4, bits: four }
  const six = parseSix(text)
  if (six === undefined) return undefined
  return six >> 32n === 0xffffn ? { family: 4, bits: six & 0xffff_ffffn } : { family: 6, bits: six }
}

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

const parseFour = (text: string): bigint | undefined => {
  const parts = text.split(".")
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256))
    return undefined
  return parts.reduce((bits, part) => (bits << 8n) | BigInt(part), 0n)
}

const parseSix = (text: string): bigint | undefined => {
  const [head = "", tail, ...more] = text.split("%")[0]?.split("::") ?? []
  if (more.length > 0) return undefined
  const left = groupsOf(head)
  const right = tail === undefined ? [] : groupsOf(tail)
  if (left === undefined || right === undefined) return undefined
  const missing = 8 - left.length - right.length
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined
  return [...left, ...Array.from({ length: missing }, () => 0n), ...right].reduce(
    (bits, group) => (bits << 16n) | group,
    0n
  )
}

/** The 16-bit groups of one side of `::`; a dotted IPv4 address may end it. */
const groupsOf = (side: string): ReadonlyArray<bigint> | undefined => {
  if (side === "") return []
  const parts = side.split(":")
  const groups: Array<bigint> = []
  for (const [index, part] of parts.entries()) {
    const four = index === parts.length - 1 ? parseFour(part) : undefined
    if (four !== undefined) groups.push(four >> 16n, four & 0xffffn)
    else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(BigInt(`0x${part}`))
    else return undefined
  }
  return groups
}
