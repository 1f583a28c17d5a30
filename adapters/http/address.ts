import { contains, parseAddress, parseNetwork } from "../../core/key/network.ts"

/** At most this many hops of X-Forwarded-For are looked at, from the nearest one back. */
const hopsMax = 32

/**
 * The caller's address: the peer's own, unless the peer is a trusted proxy; then the nearest address of
 * X-Forwarded-For that is not itself a trusted proxy (contract §4, TRUSTED_PROXIES).
 */
export const makeCallerAddress = (trustedProxies: ReadonlyArray<string>) => {
  const networks = trustedProxies.map(parseNetwork).filter((network) => network !== undefined)
  const isTrusted = (text: string): boolean => {
    const address = parseAddress(text)
    return address !== undefined && networks.some((network) => contains(network, address))
  }
  return (peer: string, forwardedFor: string | undefined): string => {
    if (networks.length === 0 || forwardedFor === undefined || !isTrusted(peer)) return peer
    const hops = forwardedFor
      .split(",")
      .map((hop) => hop.trim())
      .reverse()
      .slice(0, hopsMax)
    return hops.find((hop) => !isTrusted(hop)) ?? hops.at(-1) ?? peer
  }
}
