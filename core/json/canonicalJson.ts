import { isObject } from "./isObject.ts"

/**
 * JSON as RFC 8785 writes it: names sorted by their UTF-16 code units, no white space, numbers and texts as
 * ECMAScript writes them. Members that are undefined are left out. Its input is no deeper than a body may be.
 */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (!isObject(value)) return JSON.stringify(value) ?? "null"
  const members = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .toSorted()
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join(",")}}`
}
