import { assert, describe, it } from "@effect/vitest"
import { addressSubject, siteSubject } from "../../core/limit/subject.ts"

describe("contract §1 the address that a caller is counted by", () => {
  it.each([
    ["one /64 of IPv6", "2001:db8:0:7::1", "2001:db8:0:7:ffff:ffff:ffff:ffff"],
    ["an IPv6 address in two writings", "2001:DB8::7:0:0:1", "2001:db8::7:0:0:1"],
    ["an IPv6 address with and without its zone", "fe80::1%eth0", "fe80::1"],
    ["an IPv4 address mapped into IPv6", "::ffff:192.0.2.7", "192.0.2.7"]
  ])("is the same for %s", (_name, one, other) => {
    assert.strictEqual(addressSubject(one), addressSubject(other))
  })

  it.each([
    ["two /64s of IPv6", "2001:db8:0:7::1", "2001:db8:0:8::1"],
    ["two IPv4 addresses", "192.0.2.7", "192.0.2.8"],
    ["two IPv4 addresses mapped into IPv6", "::ffff:192.0.2.7", "::ffff:192.0.2.8"],
    ["two texts that are not addresses", "unknown", "hidden"]
  ])("differs for %s", (_name, one, other) => {
    assert.notStrictEqual(addressSubject(one), addressSubject(other))
  })
})

describe("the site that has one place among the passwords that wait", () => {
  it("is a /48 of IPv6, or an IPv4 address", () => {
    assert.strictEqual(siteSubject("2001:db8:7:1::1"), siteSubject("2001:db8:7:ffff::1"))
    assert.notStrictEqual(siteSubject("2001:db8:7::1"), siteSubject("2001:db8:8::1"))
    assert.strictEqual(siteSubject("::ffff:192.0.2.7"), siteSubject("192.0.2.7"))
    assert.notStrictEqual(siteSubject("192.0.2.7"), siteSubject("192.0.2.8"))
  })
})
