import { alphabet } from "./checksum.ts"

/** Random bytes an id needs. */
export const idRandomBytes = 10

/**
 * 26 lower-case Crockford characters: 48 bits of Unix milliseconds, then 80 random bits, so that ids sort by
 * time (contract §1: request ids are time-ordered).
 */
export const timeId = (input: { readonly nowMs: number; readonly randomBytes: Uint8Array }): string =>
  timePart(input.nowMs) + randomPart(input.randomBytes)

/** The first ten characters, which alone order the ids by time. */
export const timePart = (nowMs: number): string => {
  let rest = Math.max(0, Math.floor(nowMs))
  let text = ""
  for (let place = 0; place < 10; place++) {
    text = alphabet.charAt(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  return text
}

const randomPart = (bytes: Uint8Array): string => {
  let text = ""
  let bits = 0
  let held = 0
  for (let index = 0; index < idRandomBytes; index++) {
    held = (held << 8) | (bytes[index] ?? 0)
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += alphabet.charAt((held >> bits) & 31)
    }
    held &= (1 << bits) - 1
  }
  return text
}
