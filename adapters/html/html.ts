/** Text that is HTML already. */
export interface Html {
  readonly html: string
}

/** A template whose values are escaped unless they are Html themselves; lists are joined. */
export const html = (
  parts: TemplateStringsArray,
  ...values: ReadonlyArray<string | number | Html | ReadonlyArray<Html>>
): Html => ({
  html: parts.map((part, index) => (index === 0 ? part : written(values[index - 1] ?? "") + part)).join("")
})

const written = (value: string | number | Html | ReadonlyArray<Html>): string => {
  if (typeof value === "string" || typeof value === "number") return escaped(String(value))
  return "html" in value ? value.html : value.map((one) => one.html).join("")
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}
const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character)
