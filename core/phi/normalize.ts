/**
 * The one writing in which text is looked at: NFKC, without what cannot be seen (zero-width and other
 * default-ignorable characters, controls, accents), every kind of dash a hyphen, every digit one of 0 to 9,
 * every run of blanks one space. Plain ASCII, which is nearly everything, is given back as it is.
 */
export const normalize = (text: string): string => {
  const visible = plain.test(text) ? text : folded(text.replace(softHyphens, ""))
  return wideBlanks.test(visible) ? visible.replace(blanks, " ") : visible
}

/**
 * A soft hyphen is invisible within a word and a dash at the end of a line: a text that holds one has two
 * readings.
 */
const otherSpelling = (text: string): string | undefined =>
  text.includes("\u00ad") ? normalize(text.replace(softHyphens, "-")) : undefined

/** Every reading of a text: as written, with soft hyphens as dashes, and percent-decoded once and twice. */
export const readingsOf = (text: string): ReadonlyArray<string> => {
  const written = normalize(text)
  const other = otherSpelling(text)
  const readings = other === undefined ? [written] : [written, other]
  return readings.some((reading) => reading.includes("%")) ? readings.flatMap(withDecodings) : readings
}

const withDecodings = (text: string): ReadonlyArray<string> => {
  const once = decodePercents(text)
  if (once === text) return [text]
  const twice = decodePercents(once)
  return twice === once ? [text, once] : [text, once, twice]
}

/** Decodes every well-formed `%XX` of UTF-8 and normalizes the result; leaves a text without any as it is. */
export const decodePercents = (text: string): string =>
  text.includes("%") ? normalize(text.replace(escapes, decodeEscape)) : text

const after = "%[89ab][\\da-f]"
/** One character of UTF-8, percent-encoded. */
const escapes = new RegExp(
  [
    "%[0-7][\\da-f]",
    `%[cd][\\da-f]${after}`,
    `%e[\\da-f](?:${after}){2}`,
    `%f(?:[0-3]%[89ab]|4%8)[\\da-f](?:${after}){2}`
  ].join("|"),
  "gi"
)

const decodeEscape = (escape: string): string => {
  const [first = 0, ...others] = escape
    .split("%")
    .slice(1)
    .map((byte) => Number.parseInt(byte, 16))
  // The leading byte of n bytes carries 7 - n bits of the character, every other byte six.
  const leading = others.length === 0 ? first : first & (0x3f >> others.length)
  return String.fromCodePoint(others.reduce((point, byte) => (point << 6) | (byte & 0x3f), leading))
}

const plain = /^[\t\n\r\x20-\x7e]*$/
const softHyphens = /\u00ad/g
const wideBlanks = /\s{2}|[^\S ]/
const blanks = /\s+/g

// Marks go first, since ordering a long run of them is what makes NFKC slow, and again after it.
const folded = (text: string): string =>
  text
    .replace(unseen, "")
    .replace(phrases, " ")
    .normalize("NFKC")
    .replace(unseen, "")
    .replace(dashes, "-")
    .replace(middleDots, "\u00b7")
    .replace(otherDigits, asciiDigit)

const unseen = /[\p{Default_Ignorable_Code_Point}\p{M}\p{Cf}]|(?!\s)\p{Cc}/gu

/** Single characters that stand for a phrase of up to eighteen letters, and would make the text that long. */
const phrases = /[\ufdf0-\ufdfc]/g

/** Dash punctuation, and what is drawn like it: minus signs, bullets, bars and the like. */
const dashes = /[\p{Pd}\u00af\u02c9\u02d7\u203e\u2043\u2212\u23af\u2500\u2501\u2796\u30fc]/gu

/** Other characters for a middle dot, and small bullets that look like one. */
const middleDots = /[\u2022\u2027\u2219\u22c5\u30fb]/g

const otherDigits = /(?![0-9])\p{Nd}/gu

/** Unicode keeps the ten digits of a script together, zero first. */
const asciiDigit = (digit: string): string => {
  const point = digit.codePointAt(0) ?? 0
  let zero = point
  while (point - zero < 9 && isDigit.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String(point - zero)
}

const isDigit = /^\p{Nd}$/u
