import { describe, expect, it } from "vitest"
import { makeCallerAddress } from "../../adapters/http/request.ts"

const [proxy, inner, caller, other] = ["10.0.0.1", "10.0.0.2", "203.0.113.9", "198.51.100.7"]
const through = makeCallerAddress(["10.0.0.0/24", "2001:db8::/32"])

describe("contract §4 TRUSTED_PROXIES: whose address a call has", () => {
  it.each([
    ["the peer's own, where it is no proxy, whatever it sends", caller, other, caller],
    ["the peer's own, where the proxy sends none", proxy, undefined, proxy],
    ["what a proxy forwards", proxy, caller, caller],
    ["what the nearest of several proxies forwards", proxy, `${caller}, ${inner}`, caller],
    ["not what a caller wrote before it", proxy, `${other}, ${caller}`, caller],
    ["a proxy's own, where only proxies are named", proxy, `${inner}, ${proxy}`, inner],
    ["what a proxy of IPv6 forwards", "2001:db8::1", caller, caller],
    ["an address without the port that Azure adds", proxy, `${caller}:17085`, caller],
    ["an IPv6 address without brackets and port", proxy, "[2001:db9::7]:4443", "2001:db9::7"],
    ["an IPv6 address without brackets", proxy, "[2001:db9::7]", "2001:db9::7"],
    ["an IPv6 address without its zone", proxy, "fe80::7%eth0", "fe80::7"],
    ["an IPv6 address without its zone in brackets", proxy, "[fe80::7%25eth0]:80", "fe80::7"],
    ["what stands before a trusted hop with a port", proxy, `${caller}:1, ${inner}:8080`, caller],
    ["what stands before empty members", proxy, ` ${caller}, ,, ${inner},`, caller],
    ["the peer's own, if every member is empty", proxy, " , ", proxy],
    ["the proxy's own, if the member is not an address", proxy, "unknown", proxy],
    ["the last trusted hop's, if the next is not an address", proxy, `${caller}, _hidden, ${inner}`, inner],
    ["the proxy's own, if the port is not one", proxy, `${caller}:99999`, proxy],
    ["the proxy's own, if the port has no digits", proxy, `${caller}:`, proxy],
    ["the proxy's own, if a bracket is missing", proxy, "[2001:db9::7:4443", proxy],
    ["the proxy's own, if IPv4 stands in brackets", proxy, `[${caller}]:80`, proxy]
  ])("%s", (_, peer, forwarded, expected) => expect(through(peer, forwarded)).toBe(expected))

  it("is the peer's own where no proxy is trusted", () => {
    expect(makeCallerAddress([])(proxy, caller)).toBe(proxy)
  })
})
