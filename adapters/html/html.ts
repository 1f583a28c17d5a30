/** Text that is HTML already. */
export interface Html {
  readonly html: string
}

/** What a template takes; `undefined` and `false` leave nothing. */
type Value = string | number | Html | ReadonlyArray<Html> | undefined | false

/** A template whose values are escaped unless they are Html themselves; lists are joined. */
export const html = (parts: TemplateStringsArray, ...values: ReadonlyArray<Value>): Html => ({
  html: parts.map((part, index) => (index === 0 ? part : render(values[index - 1]) + part)).join("")
})

const render = (value: Value): string => {
  if (value === undefined || value === false) return ""
  if (typeof value === "string" || typeof value === "number") return escape(String(value))
  return "html" in value ? value.html : value.map((one) => one.html).join("")
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}
const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? "")
