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
    ["what it forwards, though it is no address", proxy, "unknown", "unknown"]
  ])("%s", (_, peer, forwarded, expected) => expect(through(peer, forwarded)).toBe(expected))

  it("is the peer's own where no proxy is trusted", () => {
    expect(makeCallerAddress([])(proxy, caller)).toBe(proxy)
  })
})
