/** A longer name was not chosen by us and is cut, so that an answer stays small. */
const nameCharactersMax = 64

/** The field at a JSON pointer as people write it: `limit`, `codes[0]`, `parameters.age_category`. */
export const fieldName = (path: string): string => {
  const [part = "", ...steps] = stepsOf(path)
  if (steps.length === 0) return wholes[part] ?? `The ${part === "" ? "request" : part}`
  return `\`${steps.map(cut).reduce((name, step) => (isIndex(step) ? `${name}[${step}]` : `${name}.${step}`))}\``
}

/** `a, b or c`. */
export const joinWords = (words: ReadonlyArray<string>, last: "and" | "or"): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`

export const stepsOf = (path: string): ReadonlyArray<string> =>
  path
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))

const wholes: Readonly<Record<string, string>> = {
  body: "The body",
  query: "The query",
  arguments: "The arguments",
  url: "`url`",
  headers: "The header block"
}

const isIndex = (step: string): boolean => /^\d+$/.test(step)

const cut = (name: string): string =>
  name.length > nameCharactersMax ? `${name.slice(0, nameCharactersMax)}…` : name
