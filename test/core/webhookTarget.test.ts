import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { parseStrictly } from "../../core/network/address.ts"
import { isPublicAddress, isSameAddress } from "../../core/webhook/address.ts"
import {
  addressesMax,
  judgeAddresses,
  judgeUrl,
  publicTargets,
  targetRefusalText
} from "../../core/webhook/target.ts"
import type { TargetRefusal } from "../../core/webhook/target.ts"
import { runs } from "../kit/runs.ts"

const judged = (text: string): TargetRefusal | "allowed" => {
  const verdict = judgeUrl(text, publicTargets)
  return verdict._tag === "Refused" ? verdict.reason : "allowed"
}
const sayOf = (rows: Readonly<Record<string, ReadonlyArray<string>>>) =>
  Object.entries(rows).flatMap(([reason, texts]) => texts.map((text) => [text, reason] as const))

describe("outbound safety 1: the text of a URL", () => {
  const rows = sayOf({
    allowed: [
      "https://hooks.customer.com",
      "HTTPS://Hooks.Customer.COM/in",
      "https://hooks.customer.com?x=1",
      "https://hooks.customer.com:/",
      "https://hooks.customer.com:/in?x=1",
      "https://hooks.customer.com/in?to=http://127.0.0.1/&a@b",
      "https://hooks.customer.com/%7Euser/%20",
      "https://xn--bcher-kva.de/in",
      "https://hooks.xn--p1ai/",
      "https://hooks.пример.рф/",
      "https://9.9.9.9.hooks.customer.com/"
    ],
    length: ["", `https://a.customer.com/${"x".repeat(2_026)}`],
    malformed: [
      "https:",
      "https:/hooks.customer.com",
      "https://",
      "https:///",
      "https://?x",
      "https://:443/",
      "javascript:alert(1)",
      "hooks.customer.com:443/in",
      "https://hooks.customer.com::/",
      "https://hooks.customer.com:0443/",
      "https://hooks.customer.com:+443/",
      "https://hooks.customer.com:443:443/",
      "https://[::1/",
      "https://::1/",
      "https://2606:4700:4700::1111/",
      "https://[2606:4700:4700::1111]extra/",
      "https://[2606:4700:4700::1111%eth0]/",
      "https://hooks.customer.com:99999/"
    ],
    scheme: ["http://hooks.customer.com/", "HTTP://8.8.8.8/", "file:///etc/passwd", "wss://a.customer.com/"],
    userinfo: ["https://user:secret@hooks.customer.com/", "https://@hooks.customer.com/"],
    fragment: ["https://hooks.customer.com/#", "https://hooks.customer.com/in?x#y"],
    bad_character: [
      "https://hooks.customer.com/a b",
      "https://hooks.customer.com/\r\nHost: internal",
      "https://hooks.customer.com/\u0000",
      "https://hooks.customer.com\u00A0/",
      "https://hooks.customer.com/\u202E",
      "https://hooks.customer.com/\uFEFF",
      "https://hooks\u2060.customer.com/",
      "https://hooks\u180B.customer.com/",
      "https://hooks.customer.com/\uD800",
      "https://hooks.customer.com\\@127.0.0.1/",
      "\thttps://hooks.customer.com/"
    ],
    percent_in_host: ["https://hooks.customer.com%00.evil.com/", "https://127.0.0.1%2f.customer.com/"]
  })
  it.each(rows)("%j: %s", (text, reason) => expect(judged(text)).toBe(reason))
})

describe("outbound safety 2: the host", () => {
  const rows = sayOf({
    port: ["https://hooks.customer.com:444/", "https://hooks.customer.com:80/", "https://8.8.8.8:22/"],
    noncanonical_ip: [
      "https://127.1/",
      "https://017700000001/",
      "https://0x7f.1/",
      "https://8.8.8.8./",
      "https://8.8.2056/",
      "https://１２７.0.0.1/",
      "https://0x08080808/"
    ],
    address: ["https://127.0.0.1/", "https://[::ffff:8.8.8.8]/", "https://[0:0:0:0:0:0:0:1]/"],
    trailing_dot: ["https://hooks.customer.com./", "https://internal./"],
    hostname: [
      "https://metadata/",
      "https://customer_a.customer.com/",
      "https://a-.customer.com/",
      "https://hooks.customer.c0m/",
      "https://hooks.customer.a-b/",
      `https://${"a.".repeat(126)}customer/`,
      "https://hooks.*.com/",
      "https://.customer.com/",
      "https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/"
    ],
    reserved_name: [
      "https://metadata.google.internal/",
      "https://router.lan/",
      "https://nas.HOME/",
      "https://a.private/",
      "https://a.b.onion/",
      "https://1.0.0.127.in-addr.arpa/",
      "https://x.alt/",
      "https://db.ｌｏｃａｌ/"
    ],
    allowed: ["https://notlocalhost.com/", "https://local.customer.com/", "https://example.com/"]
  })
  it.each(rows)("%j: %s", (text, reason) => expect(judged(text)).toBe(reason))

  it("every other writing of a public IPv4 address is refused", () =>
    fc.assert(
      fc.property(fc.integer({ min: 0x0800_0000, max: 0x08ff_ffff }), (bits) => {
        const parts = [bits >>> 24, (bits >>> 16) & 255, (bits >>> 8) & 255, bits & 255]
        expect(judged(`https://${parts.join(".")}/`)).toBe("allowed")
        const octal = parts.map((part) => `0${part.toString(8)}`).join(".")
        const short = `${parts[0]}.${parts[1]}.${bits & 0xffff}`
        for (const written of [String(bits), `0x${bits.toString(16)}`, octal, short, `${parts.join(".")}.`])
          expect(judged(`https://${written}/`)).toBe("noncanonical_ip")
      })
    ))

  it("whatever the text, what is allowed is https, port 443 and a public name or address", () =>
    fc.assert(
      fc.property(fc.webUrl({ withFragments: false }), fc.string({ unit: "binary" }), (url, noise) => {
        for (const text of [url, noise, `https://${noise}`, `${url}${noise}`]) {
          const verdict = judgeUrl(text, publicTargets)
          if (verdict._tag === "Refused") continue
          expect(verdict._tag).toBe("Public")
          expect(verdict.target).toMatchObject({ secure: true, port: 443 })
          expect(verdict.target.host).toMatch(/^[a-z0-9.:-]+$/)
        }
      }),
      { numRuns: runs(500) }
    ))
})

describe("contract §4 WEBHOOK_PORTS", () => {
  const refusalText = (url: string, ports: ReadonlyArray<number>) => {
    const judged = judgeUrl(url, { ...publicTargets, ports })
    return judged._tag === "Refused" ? targetRefusalText(judged) : judged._tag
  }
  it("allows these ports of https alone, and a refusal lists them", () => {
    const other = "https://hooks.customer.com:9443/"
    expect(refusalText(other, [443])).toBe("The port must be 443.")
    expect(refusalText(other, [443, 8_443])).toBe("The port must be 443 or 8443.")
    expect(refusalText(other, [443, 8_443, 10_443])).toBe("The port must be 443, 8443 or 10443.")
    expect(refusalText(other, [443, 9_443])).toBe("Public")
    expect(refusalText("https://hooks.customer.com/", [8_443])).toBe("The port must be 8443.")
    expect(refusalText("https://hooks.customer.com:/", [443, 8_443])).toBe("Public")
    expect(refusalText("http://hooks.customer.com:8443/", [443, 8_443])).toBe(
      "The URL must begin with https://."
    )
    expect(refusalText("https://127.0.0.1:8443/", [443, 8_443])).toMatch(/public address/)
  })
})

describe("contract §4 WEBHOOK_LOOPBACK", () => {
  const policy = { ...publicTargets, loopbackPorts: [9_000, 80] }
  it("allows its ports on 127.0.0.1 over http and nothing beside", () => {
    for (const text of ["http://127.0.0.1:9000/in", "http://127.0.0.1/", "http://127.0.0.1:80/"])
      expect(judgeUrl(text, policy)._tag).toBe("Loopback")
    for (const text of [
      "http://127.0.0.1:9001/",
      "http://127.1:9000/",
      "http://0x7f000001:9000/",
      "http://localhost:9000/",
      "http://127.0.0.2:9000/",
      "http://[::1]:9000/",
      "http://a@127.0.0.1:9000/",
      "https://127.0.0.1:9000/",
      "https://127.0.0.1/",
      "http://hooks.customer.com:9000/"
    ])
      expect(judgeUrl(text, policy)._tag).toBe("Refused")
  })
})

describe("outbound safety 3: addresses", () => {
  const edges: ReadonlyArray<readonly [first: string, last: string, before: string, after: string]> = [
    ["10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"],
    ["100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"],
    ["127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"],
    ["168.63.129.16", "168.63.129.16", "168.63.129.15", "168.63.129.17"],
    ["169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"],
    ["172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"],
    ["192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0"],
    ["192.0.2.0", "192.0.2.255", "192.0.1.255", "192.0.3.0"],
    ["192.52.193.0", "192.52.193.255", "192.52.192.255", "192.52.194.0"],
    ["192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"],
    ["198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"],
    ["2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2000:ffff::", "2001:200::"],
    ["2001:db8::", "2001:db8:ffff::", "2001:db7:ffff::", "2001:db9::"],
    ["2002::", "2002:ffff::", "2001:ffff::", "2003::"],
    ["3fff::", "3fff:fff:ffff::", "3ffe:ffff::", "3fff:1000::"]
  ]
  it.each(edges)("refuses %s to %s and neither neighbour", (first, last, before, after) => {
    for (const address of [first, last]) expect(isPublicAddress(address)).toBe(false)
    for (const address of [before, after]) expect(isPublicAddress(address)).toBe(true)
  })

  it("refuses every IPv6 address outside 2000::/3, and every one that holds another", () =>
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }), (bits) => {
        const groups = Array.from({ length: 8 }, (_, index) =>
          ((bits >> BigInt(112 - 16 * index)) & 0xffffn).toString(16)
        )
        const text = groups.join(":")
        expect(parseStrictly(text)).toEqual({ family: 6, bits })
        if (bits >> 125n !== 1n) expect(isPublicAddress(text)).toBe(false)
        for (const prefix of ["::ffff", "64:ff9b:", "2002", "fc00", "fe80"])
          expect(
            isPublicAddress(`${prefix}:${groups.slice(0, 2).join(":")}${prefix === "::ffff" ? "" : "::"}`)
          ).toBe(false)
      })
    ))

  it("refuses whatever is no address in strict writing", () => {
    for (const text of [
      "",
      "8.8.8",
      "8.8.8.8.8",
      "08.8.8.8",
      "8.8.8.256",
      "8.8.8.8 ",
      "0x8.8.8.8",
      "8.8.8.8/32",
      "::ffff:8.8.8.8",
      "2606:4700::1111%eth0",
      "2606:4700::1::1",
      "2606:4700:::1",
      "2606:4700:1:2:3:4:5:6:7",
      "2606:4700:1:2:3:4:5::6:7",
      "12606::1",
      "38.6.71.0::",
      "[2606:4700::1111]",
      "hooks.customer.com"
    ])
      expect(isPublicAddress(text)).toBe(false)
    expect(isSameAddress({ one: "2606:4700::1111", other: "2606:4700:0:0:0:0:0:1111" })).toBe(true)
    expect(isSameAddress({ one: "8.8.8.8", other: "::ffff:8.8.8.8" })).toBe(false)
    expect(isSameAddress({ one: "none", other: "none" })).toBe(false)
  })
})

describe("outbound safety 4: what a name resolves to", () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `93.184.216.${index}`)
  it("must be public to the last answer, at least one and at most 32", () => {
    expect(judgeAddresses(many(addressesMax))).toBeUndefined()
    expect(judgeAddresses(many(addressesMax + 1))).toBe("too_many_addresses")
    expect(judgeAddresses([])).toBe("unresolved")
    expect(judgeAddresses([...many(3), "10.0.0.1"])).toBe("address")
    expect(judgeAddresses(["not an address"])).toBe("address")
  })
})
