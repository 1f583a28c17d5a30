import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** A name without an identifier, which is stored. */
export const storedName = "accepted-name-of-a-clinic"

/** A word of no language: every text that must be stored nowhere contains it. */
export const stem = "quagwumpf"
let planted = 0

/** Invented identifiers for one place, each beside a word of that place. */
export const canaries = () => {
  planted += 1
  const mark = stem + "abcdefghijklmnopqrstuvwxyz".charAt(planted % 26)
  return [
    `${mark} 287-65-4329`,
    `${mark} 287_65_4329`,
    `${mark} 287·65·4329`,
    `${mark} 7QW4.XK2.MP88`,
    `${mark} 7qw4_xk2_mp88`,
    `${mark}@quaxley.example`,
    `${mark}%40quaxley.example`,
    `${mark}%2540quaxley.example`,
    `(312) 555-0187 ${mark}`,
    `DOB 3/14/1937 ${mark}`,
    `MRN: 77310042 ${mark}`,
    `Patient name: ${mark}`,
    `48213 ${mark} Street`
  ]
}

/** The canaries that a URL may contain as they are. */
export const inPath = () => canaries().filter((text) => !/[ ·]/.test(text))

/** The canaries that a header may contain. */
export const inHeader = () => canaries().filter((text) => !text.includes("·"))

/** The canaries that a URL may contain, percent-encoded where they must be. */
export const inSpacedPath = () => [
  ...inPath(),
  ...canaries()
    .filter((text) => !text.includes("%"))
    .map(encodeURIComponent)
]
/** What each canary contains at least one of, in lower case. */
const traces = [stem, "287-65-4329", "287_65_4329", "7qw4.xk2", "7qw4_xk2", "quaxley", "555-0187", "77310042"]

/** Returns which parts of the canaries a text contains, as text or in hexadecimal digits. */
export const tracesIn = (text: string): ReadonlyArray<string> => {
  const lower = text.toLowerCase()
  return traces.filter((trace) => lower.includes(trace) || lower.includes(Buffer.from(trace).toString("hex")))
}

/** The names of the files below a folder that contain a trace, and of those with the accepted name. */
export const filesWritten = (folder: string) => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map(({ name, parentPath }) => ({
      name,
      text: readFileSync(join(parentPath, name)).toString("latin1")
    }))
  const namesWhere = (holds: (text: string) => boolean) =>
    files.filter(({ text }) => holds(text)).map(({ name }) => name)
  return {
    traced: namesWhere((text) => tracesIn(text).length > 0),
    accepted: namesWhere((text) => text.includes(storedName))
  }
}
