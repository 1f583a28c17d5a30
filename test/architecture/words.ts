/** A word that names of this project no longer use, and what is written instead. */
interface Retired {
  readonly word: RegExp
  readonly instead: string
}

/** A whole word of a camelCase name: `lane` in `joinLane` and `laneOf`, not in `plane`. */
const hump = (...words: ReadonlyArray<string>): RegExp => {
  const [first, rest] = [
    words.join("|"),
    words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join("|")
  ]
  return new RegExp(`(^(${first})|(?<=[a-z0-9]|^)(${rest}))(?![a-z])`)
}

/** The glossary of the design, as far as a name can be judged by itself. */
const retired: ReadonlyArray<Retired> = [
  { word: hump("shelf", "shelves"), instead: "cache" },
  { word: hump("lane", "lanes", "seat", "seats"), instead: "batcher, pending write or member" },
  { word: hump("desk"), instead: "handlers" },
  { word: hump("crowd", "crowded", "gathering"), instead: "batch or threshold" },
  { word: hump("wish", "wishing", "wished"), instead: "request, input or form" },
  { word: /Visit(?![a-z])|^visit(ing|ed)$/, instead: "pageRequest or handlePage" },
  { word: hump("publicly"), instead: "publicCall" },
  { word: hump("entering"), instead: "acquire" },
  { word: hump("degrading", "remembering", "rebuilding"), instead: "failover, rejectionCache or backfill" },
  { word: hump("phased"), instead: "WritePlan" },
  { word: hump("foresee", "foreseen", "barred"), instead: "precheck or rejected" },
  { word: hump("opening"), instead: "new, as in newEnvelope" },
  { word: hump("patience", "relief", "pump"), instead: "timeout, evict or dispatch" },
  {
    word: hump("ears", "voice", "hear", "heard", "beat", "audience"),
    instead: "channel, receive or heartbeat"
  },
  { word: hump("lent"), instead: "borrowed or dependencies" },
  { word: hump("spine"), instead: "core" },
  { word: hump("chanceless"), instead: "deterministic" },
  { word: hump("judging"), instead: "validate" },
  { word: hump("quick"), instead: "fast" },
  { word: hump("book", "books"), instead: "reference or state" },
  {
    word: hump("provoke", "provoked", "provoking", "provocation"),
    instead: "inject fault or reserved input"
  },
  { word: hump("deed", "deeds"), instead: "action" },
  { word: hump("taste"), instead: "what it is" }
]

/** Participles that end neither in -ed nor in -ing. */
const irregular: ReadonlySet<string> = new Set(
  (
    "spoken standing broken known told written gone held taken given made sent seen said sold found kept left " +
    "lent lost met put read shown drawn grown worn heard felt brought bought caught thought sought"
  ).split(" ")
)

/** Nouns and verbs that only look like participles; `refused` is the name that the architecture gives. */
const plainWords: ReadonlySet<string> = new Set(
  (
    "refused ping string listing finding embed need feed seed speed setting heading building encoding red " +
    "thing"
  ).split(" ")
)

/** What is wrong with a declared name, or undefined. */
export const retiredWord = (name: string): string | undefined => {
  const found = retired.find(({ word }) => word.test(name))
  return found && `${name} uses a retired word; say ${found.instead} instead`
}

/** What is wrong with an exported name that is one participle and nothing else, or undefined. */
export const bareParticiple = (name: string): string | undefined => {
  const word = name.toLowerCase()
  const isOneWord = /^([A-Z]?[a-z]+)$/.test(name) && !plainWords.has(word)
  return isOneWord && (/(ed|ing)$/.test(word) || irregular.has(word))
    ? `${name} is a participle alone; say instead what it is or does`
    : undefined
}
