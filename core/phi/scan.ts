import type { Shape } from "../operation/shape.ts"
import { pointerStep } from "../error/fieldFaults.ts"
import { identifiersIn } from "./detect.ts"
import { decodePercents } from "./normalize.ts"
import { fieldName, isCue, kindByName } from "./fieldNames.ts"
import type { FieldName } from "./fieldNames.ts"
import type { Kind } from "./kinds.ts"

/** One part of what a caller sent: a query, a body, the arguments of a tool. */
export interface Part {
  /** The pointer it stands at, such as `/body`. */
  readonly base: string
  readonly value: unknown
  /** What the catalogue says of it; absent where it says nothing. */
  readonly shape: Shape | undefined
}

/** Where an identifier is and of which kind: all that is ever told of it. */
export interface Finding {
  readonly path: string
  readonly kind: Kind
}

/** `TooLarge`: the scan stops there, so that nothing is left unseen. */
export type ScanResult =
  | { readonly _tag: "Scanned"; readonly findings: ReadonlyArray<Finding> }
  | { readonly _tag: "TooLarge"; readonly base: string; readonly says: string }

/** At most this many findings are told (phi.md). */
export const findingsMax = 20
/** Objects and lists within each other (contract §1). */
export const depthMax = 12
/** Members and items, those within others counted too: far above any operation's, far below what hurts. */
export const nodesMax = 1_000

/** Looks through every name and value of every part, at any depth. */
export const scan = (parts: ReadonlyArray<Part>): ScanResult => {
  const seen: Seen = { findings: [], nodes: 0, says: undefined }
  for (const { base, value, shape } of parts) {
    visit(seen, value, { path: base, shape, field: undefined, depth: 0 })
    if (seen.says !== undefined) return { _tag: "TooLarge", base, says: seen.says }
  }
  return { _tag: "Scanned", findings: seen.findings }
}

interface Seen {
  readonly findings: Array<Finding>
  nodes: number
  says: string | undefined
}

/** Where a value stands. */
interface Place {
  readonly path: string
  readonly shape: Shape | undefined
  /** The field around it; absent for a field that the catalogue knows. */
  readonly field: FieldName | undefined
  readonly depth: number
}

const visit = (seen: Seen, value: unknown, place: Place): void => {
  seen.nodes += 1
  if (seen.nodes > nodesMax) seen.says = `holds more than ${nodesMax} values`
  if (seen.says !== undefined) return
  if (typeof value === "string") return judgeText(seen, value, place)
  if (typeof value !== "object" || value === null) return
  if (place.depth >= depthMax) {
    seen.says = `is nested deeper than ${depthMax} levels`
    return
  }
  return Array.isArray(value) ? visitItems(seen, value, place) : visitMembers(seen, value, place)
}

const visitItems = (seen: Seen, items: ReadonlyArray<unknown>, place: Place): void => {
  const { path, field, depth } = place
  items.forEach((item, index) =>
    visit(seen, item, { path: `${path}/${index}`, shape: place.shape?.items, field, depth: depth + 1 })
  )
}

const visitMembers = (seen: Seen, object: object, place: Place): void => {
  for (const name of Object.keys(object)) {
    // The rest of a wide object is not judged, which would cost more than reading it.
    if (seen.says !== undefined) return
    const value = (object as Readonly<Record<string, unknown>>)[name]
    const known = place.shape?.members.get(name)
    const depth = place.depth + 1
    if (known !== undefined) {
      visit(seen, value, { path: place.path + pointerStep(name), shape: known, field: undefined, depth })
      continue
    }
    const path = place.path + judgeName(seen, name, place)
    const field = fieldName(name, place.field)
    const kind = kindByName(field, value)
    if (kind !== undefined) note(seen, path, kind)
    visit(seen, value, { path, shape: place.shape?.rest, field, depth })
  }
}

/** The step of a name in a pointer: `#key` where the name itself would tell what must not be told. */
const judgeName = (seen: Seen, name: string, { path, shape }: Place): string => {
  const kinds = identifiersIn(name, { bareDigits: expectation(shape?.names) })
  for (const kind of kinds) note(seen, `${path}/#key`, kind)
  return kinds.length > 0 || name.length > shownNameMax ? "/#key" : pointerStep(name)
}

/** A longer name is no field's, and twenty of them would make the answer larger than the request. */
const shownNameMax = 64

const judgeText = (seen: Seen, text: string, { path, shape, field }: Place): void => {
  if (seen.findings.length >= findingsMax || (shape?.holds === "cursor" && ownCursor.test(text))) return
  const bareDigits = expectation(shape)
  for (const kind of identifiersIn(text, { bareDigits })) note(seen, path, kind)
  if (shape?.holds === "url") judgeQuery(seen, text, path)
  if (field === undefined || !isCue(field)) return
  for (const kind of identifiersIn(`${field.folded}: ${text}`, { bareDigits })) note(seen, path, kind)
}

/** Judges the parameters of a URL like fields: `?ssn=…` is one by its name, and a `+` is a space. */
const judgeQuery = (seen: Seen, url: string, path: string): void => {
  const [, query = ""] = decodePercents(url).split(/[?#]/)
  for (const parameter of query.split(/[&;]/)) {
    const [name = "", value = ""] = decodePercents(parameter.replaceAll("+", " ")).split("=", 2)
    const field = fieldName(name, undefined)
    const kind = kindByName(field, value)
    if (kind !== undefined) note(seen, path, kind)
    for (const found of identifiersIn(value, { bareDigits: "expected" })) note(seen, path, found)
  }
}

const expectation = (shape: Shape | undefined) =>
  shape?.holds === undefined ? ("identifying" as const) : ("expected" as const)

/** Base64url and a signature (page/cursor.ts): chance may spell an identifier in it. */
const ownCursor = /^[\w-]{2,4096}\.[\w-]{43}$/

const note = ({ findings }: Seen, path: string, kind: Kind): void => {
  const told = findings.some((finding) => finding.path === path && finding.kind === kind)
  if (!told && findings.length < findingsMax) findings.push({ path, kind })
}
