import { describe, expect, it } from "vitest"
import * as fc from "fast-check"
import { checksumLength, randomLength, readCredential, makeKey, parseKeyText } from "../../core/key/Key.ts"
import { alphabet, checksum } from "../../core/id/checksum.ts"
import type { KeyMode } from "../../core/key/Key.ts"
import { contains, isAllowed, parseAddress, parseNetwork } from "../../core/network/address.ts"
import { keyActions, keyStatuses, keyState, keyTransitions } from "../../core/key/state.ts"
import type { KeyHolder } from "../../core/key/state.ts"
import type { IsoTime } from "../../core/coverage/date.ts"
import { runs } from "../kit/runs.ts"

const randomOf = fc
  .array(fc.constantFrom(...alphabet), { minLength: randomLength, maxLength: randomLength })
  .map((characters) => characters.join(""))
const mode = fc.constantFrom<KeyMode>("live", "test")
const key = fc.record({ mode, randomBytes: fc.uint8Array({ minLength: 27, maxLength: 27 }) }).map(makeKey)

/** The positions of a key's random and checksum characters. */
const places = Array.from({ length: 32 }, (_, index) => 9 + index).filter((place) => place !== 36)

describe("§2.5 the key grammar", () => {
  it("§2.5 a made key is svc_{mode}_{27}_{4} and parses as its mode", () => {
    fc.assert(
      fc.property(mode, fc.uint8Array({ minLength: 27, maxLength: 27 }), (keyMode, randomBytes) => {
        const made = makeKey({ mode: keyMode, randomBytes })
        expect(made).toMatch(new RegExp(`^svc_${keyMode}_[${alphabet}]{27}_[${alphabet}]{4}$`))
        expect(parseKeyText(made)).toEqual({ _tag: "Key", mode: keyMode, key: made })
      })
    )
  })

  it("contract §1 every change of up to four characters is refused", () => {
    const changes = fc.uniqueArray(fc.tuple(fc.constantFrom(...places), fc.integer({ min: 1, max: 31 })), {
      minLength: 1,
      maxLength: 4,
      selector: ([place]) => place
    })
    fc.assert(
      fc.property(key, changes, (made, edits) => {
        const characters = [...made]
        for (const [place, shift] of edits) {
          const index = alphabet.indexOf(characters[place] ?? "")
          characters[place] = alphabet.charAt((index + shift) % 32)
        }
        expect(parseKeyText(characters.join(""))._tag).toBe("Mistyped")
      }),
      { numRuns: runs(2_000) }
    )
  })

  it("contract §1 any swap of two different characters and any live/test mix-up is refused", () => {
    fc.assert(
      fc.property(key, fc.constantFrom(...places), fc.constantFrom(...places), (made, from, to) => {
        fc.pre(made[from] !== made[to])
        const characters = [...made]
        ;[characters[from], characters[to]] = [characters[to] ?? "", characters[from] ?? ""]
        expect(parseKeyText(characters.join(""))._tag).toBe("Mistyped")
        const other = made.startsWith("svc_live_")
          ? made.replace("live", "test")
          : made.replace("test", "live")
        expect(parseKeyText(other)._tag).toBe("Mistyped")
      })
    )
  })

  it("contract §1 all error patterns of weight at most 2 have distinct syndromes", () => {
    const zero = "0".repeat(randomLength)
    const syndromes = new Set<string>([checksum({ mode: "live", random: zero })])
    // A change of a checksum character is its own syndrome; one of a random character is that word's parity.
    const patternOf = (place: number, value: number): string =>
      place < randomLength
        ? checksum({
            mode: "live",
            random: zero.slice(0, place) + alphabet.charAt(value) + zero.slice(place + 1)
          })
        : "0".repeat(place - randomLength) + alphabet.charAt(value) + "0".repeat(30 - place)
    const single: Array<ReadonlyArray<number>> = []
    const owner: Array<number> = []
    for (let place = 0; place < randomLength + checksumLength; place++) {
      for (let value = 1; value < 32; value++) {
        const pattern = patternOf(place, value)
        syndromes.add(pattern)
        single.push([...pattern].map((character) => alphabet.indexOf(character)))
        owner.push(place)
      }
    }
    let patterns = 1 + single.length
    for (let left = 0; left < single.length; left++) {
      for (let right = left + 1; right < single.length; right++) {
        if (owner[left] === owner[right]) continue
        patterns++
        syndromes.add(
          single[left]
            ?.map((value, index) => alphabet.charAt(value ^ (single[right]?.[index] ?? 0)))
            .join("") ?? ""
        )
      }
    }
    expect(syndromes.size).toBe(patterns)
  })

  it("contract §1 the parity has roots α^1…α^4, and a test key's is XORed with 1, 14, 29, 10", () => {
    // Known answers, computed by hand-written long division over GF(32).
    expect(checksum({ mode: "live", random: "0".repeat(27) })).toBe("0000")
    expect(checksum({ mode: "test", random: "0".repeat(27) })).toBe("1exa")
    fc.assert(
      fc.property(randomOf, (random) => {
        const live = [...checksum({ mode: "live", random })].map((character) => alphabet.indexOf(character))
        const test = [...checksum({ mode: "test", random })].map((character) => alphabet.indexOf(character))
        expect(live.map((value, index) => value ^ (test[index] ?? 0))).toEqual([1, 14, 29, 10])
        const word = [...[...random].map((character) => alphabet.indexOf(character)), ...live]
        for (const exponent of [1, 2, 3, 4]) expect(evaluate(word, exponent)).toBe(0)
      })
    )
  })
})

/** Horner's rule over GF(32), with its own multiplication: bit by bit, reduced by x^5 + x^2 + 1. */
const evaluate = (word: ReadonlyArray<number>, exponent: number): number => {
  const multiply = (a: number, b: number): number => {
    let product = 0
    for (let bit = 0; bit < 5; bit++) if ((b >> bit) & 1) product ^= a << bit
    for (let bit = 9; bit >= 5; bit--) if ((product >> bit) & 1) product ^= 0b100101 << (bit - 5)
    return product
  }
  let root = 1
  for (let step = 0; step < exponent; step++) root = multiply(root, 2)
  return word.reduce((sum, value) => multiply(sum, root) ^ value, 0)
}

describe("§5.4 the Authorization header", () => {
  const live = makeKey({ mode: "live", randomBytes: new Uint8Array(27).fill(7) })
  const test = makeKey({ mode: "test", randomBytes: new Uint8Array(27).fill(7) })
  const token = "a".repeat(43)
  const codeOf = (header: string | undefined, surface: "live" | "sandbox" = "live") => {
    const read = readCredential(header, surface)
    return read._tag === "Refusal" ? read.code : read._tag
  }

  it.each([
    [undefined, "AUTH_MISSING"],
    ["", "AUTH_INVALID_FORMAT"],
    [live, "AUTH_INVALID_FORMAT"],
    ["Bearer", "AUTH_INVALID_FORMAT"],
    [`Basic ${live}`, "AUTH_INVALID_FORMAT"],
    [`Bearer ${live} ${live}`, "AUTH_INVALID_FORMAT"],
    [`Bearer ${live}, Bearer ${live}`, "AUTH_INVALID_FORMAT"],
    [`Bearer ${live}\nBearer ${live}`, "AUTH_INVALID_FORMAT"],
    [`Bearer ${live},`, "AUTH_KEY_NOT_FOUND"],
    ["Bearer vrt_a,b", "Credential"],
    [`bearer ${live}`, "Credential"],
    [`BEARER   ${live}`, "Credential"],
    ["Bearer vrt_anything", "Credential"],
    ["Bearer sk_live_123", "AUTH_INVALID_KEY_FORMAT"],
    ["Bearer svc_live_short", "AUTH_KEY_NOT_FOUND"],
    [`Bearer ${live.toUpperCase()}`, "AUTH_INVALID_KEY_FORMAT"],
    [`Bearer ${token}`, "AUTH_INVALID_TOKEN"],
    ["Bearer aaa.bbb.ccc", "AUTH_INVALID_TOKEN"],
    [`Bearer ${test}`, "AUTH_TEST_KEY_SANDBOX_ONLY"]
  ])("§5.4 %j on the live surface is %s", (header, code) => expect(codeOf(header)).toBe(code))

  it.each([
    [`Bearer ${live}`, "AUTH_SANDBOX_TEST_KEY_REQUIRED"],
    ["Bearer vrt_anything", "AUTH_SANDBOX_TEST_KEY_REQUIRED"],
    [`Bearer ${token}`, "AUTH_SANDBOX_TEST_KEY_REQUIRED"],
    [`Bearer ${test}`, "Credential"]
  ])("§5.3 %j in the sandbox is %s", (header, code) => expect(codeOf(header, "sandbox")).toBe(code))

  it("contract §1 a key of wrong checksum is told that it looks mistyped", () => {
    const read = readCredential("Bearer svc_live_short", "live")
    expect(read._tag === "Refusal" && read.hint).toContain("mistyped")
  })
})

describe("§3.2 key states", () => {
  const now = "2026-03-01T00:00:00.000Z" as IsoTime
  const holder = (given: Partial<KeyHolder["key"]>, organizationSuspended = false) =>
    ({ key: { mark: "valid", expiresAt: null, ...given }, organizationSuspended }) as KeyHolder

  it("§3.2 revoked outlives expired, which outlives suspended", () => {
    const expiresAt = "2026-02-01T00:00:00.000Z" as IsoTime
    expect(keyState(holder({ mark: "revoked", expiresAt }, true), now)).toBe("revoked")
    expect(keyState(holder({ mark: "suspended", expiresAt }, true), now)).toBe("expired")
    expect(keyState(holder({ mark: "suspended" }), now)).toBe("suspended")
    expect(keyState(holder({}, true), now)).toBe("suspended")
    expect(keyState(holder({}), now)).toBe("valid")
  })

  it("§3.2 a key expires at its very instant", () => {
    expect(keyState(holder({ expiresAt: now }), now)).toBe("expired")
    expect(keyState(holder({ expiresAt: "2026-03-01T00:00:00.001Z" as IsoTime }), now)).toBe("valid")
  })

  it("§3.2 a revoked key cannot be restored, whatever is done to it", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...keyActions)),
        fc.constantFrom(...keyStatuses),
        (actions, start) => {
          const end = actions.reduce((mark, action) => keyTransitions[mark][action], start)
          if (start === "revoked" || actions.includes("revoke")) expect(end).toBe("revoked")
        }
      )
    )
  })
})

describe("contract §1 address allow-lists", () => {
  it.each([
    ["192.0.2.0/24", "192.0.2.255", true],
    ["192.0.2.0/24", "192.0.3.0", false],
    ["192.0.2.0/24", "::ffff:192.0.2.7", true],
    ["::ffff:192.0.2.0/24", "10.0.0.1", false],
    ["2001:db8::/32", "2001:db8:ffff::1", true],
    ["2001:db8::/32", "2001:db9::1", false],
    ["2001:db8::1", "2001:0db8:0:0:0:0:0:1", true],
    ["0.0.0.0/0", "203.0.113.9", true],
    ["0.0.0.0/0", "2001:db8::1", false],
    ["::/0", "2001:db8::1", true]
  ])("%s allows %s: %s", (cidr, address, expected) => expect(isAllowed([cidr], address)).toBe(expected))

  it("an empty list allows every address, and no list allows what is no address", () => {
    expect(isAllowed([], "whatever")).toBe(true)
    expect(isAllowed(["0.0.0.0/0"], "")).toBe(false)
  })

  it.each([
    "1.2.3",
    "01.2.3.4",
    "256.1.1.1",
    "1.2.3.4/33",
    "::1::",
    ":::",
    "12345::",
    "2001:db8::/129",
    "a/b/c",
    "1:2:3:4:5:6:7:8:9"
  ])("%s is no network", (text) => expect(parseNetwork(text)).toBeUndefined())

  it("a network holds exactly the addresses that share its prefix", () => {
    const four = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)).map((parts) => parts.join("."))
    fc.assert(
      fc.property(four, four, fc.integer({ min: 0, max: 32 }), (one, other, length) => {
        const network = parseNetwork(`${one}/${length}`)
        const address = parseAddress(other)
        if (network === undefined || address === undefined) throw new Error("generated addresses parse")
        const bits = (text: string) =>
          text
            .split(".")
            .map((part) => Number(part).toString(2).padStart(8, "0"))
            .join("")
        expect(contains(network, address)).toBe(bits(one).slice(0, length) === bits(other).slice(0, length))
      })
    )
  })
})
