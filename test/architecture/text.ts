import type { Source, Violation } from "./Source.ts"

/** Every breach that shows in the text alone; sources, documents and scripts are held to it. */
export const textViolations = (sources: ReadonlyArray<Source>): ReadonlyArray<Violation> =>
  sources.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) =>
      rules
        .filter((rule) => rule.watches(path) && rule.breaks(line))
        .map((rule) => ({
          path,
          line: index + 1,
          rule: rule.name,
          says: rule.says
        }))
    )
  )

interface Rule {
  readonly name: string
  readonly watches: (path: string) => boolean
  readonly breaks: (line: string) => boolean
  readonly says: string
}

const everywhere = (): boolean => true
const inSource = (path: string): boolean => path.endsWith(".ts")

/** Written in pieces, so that this table does not hold what it looks for. */
const word = (...pieces: ReadonlyArray<string>): string => pieces.join("")

const pattern = (...pieces: ReadonlyArray<string>) => {
  const expression = new RegExp(word(...pieces))
  return (line: string): boolean => expression.test(line)
}

const rules: ReadonlyArray<Rule> = [
  {
    name: "indentation is two spaces, and nothing trails",
    watches: inSource,
    breaks: (line) => /^ *\t/.test(line) || /[ \t\r]$/.test(line),
    says: "a tab or trailing space"
  },
  {
    name: "nothing is left to do",
    watches: inSource,
    breaks: pattern("\\b(TO", "DO|FIX", "ME|XX", "X|HA", "CK)\\b"),
    says: "do it or write it into a decision record"
  },
  {
    name: "no check is silenced",
    watches: inSource,
    breaks: (line) => pattern("@ts-", "(ignore|nocheck)")(line),
    says: "the compiler is right, or the type is wrong"
  },
  {
    name: "no pattern switches its flags within",
    // In a pattern, not in the prose about it.
    watches: (path) => inSource(path) && !path.startsWith("test/"),
    breaks: (line) => !/^\s*(\*|\/\/)/.test(line) && pattern("\\(\\?", "[ims]*(-[ims]+)?:(?<!\\?:)")(line),
    says: "V8 misses matches of it in a process that has compiled many patterns; write both cases out"
  },
  {
    name: "no secret is kept in the tree",
    watches: everywhere,
    breaks: pattern("svc_", "live_[0-9a-z]{31}|-----BEGIN [A-Z ]*", "PRIVATE KEY|\\bAK", "IA[0-9A-Z]{16}\\b"),
    says: "it looks like a live key; build the example from pieces"
  },
  {
    name: "no path of one machine is kept in the tree",
    watches: everywhere,
    breaks: pattern("(^|[\\s\"'`(=:])/(", "work|", "root|", "home|", "Users)/[A-Za-z0-9._-]"),
    says: "paths are relative to the project's root"
  }
]
