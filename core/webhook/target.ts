import { parseStrictly } from "../network/address.ts"
import { isPublicAddress } from "./address.ts"
import { urlCharactersMax } from "./Endpoint.ts"

/**
 * Why a URL may not be called. `malformed` is VALIDATION_INVALID_FORMAT; `not_public` is VALIDATION_ERROR
 * with that code at the field (contract §2, Webhooks). The words never name a resolved address.
 */
export const targetRefusals = {
  length: { fault: "malformed", says: `The URL must have 1 to ${urlCharactersMax} characters.` },
  bad_character: {
    fault: "malformed",
    says: "The URL holds a space, a backslash, or a control or invisible character."
  },
  malformed: { fault: "malformed", says: "This is not a complete https URL." },
  scheme: { fault: "malformed", says: "The URL must begin with https://." },
  userinfo: { fault: "malformed", says: "The URL must not hold a user name or password." },
  fragment: { fault: "malformed", says: "The URL must not have a fragment." },
  percent_in_host: { fault: "malformed", says: "The host must not be percent-encoded." },
  port: { fault: "not_public", says: "The port is not allowed." },
  noncanonical_ip: { fault: "not_public", says: "An IP address must be written in its usual form." },
  trailing_dot: { fault: "not_public", says: "The host name must not end with a dot." },
  hostname: { fault: "not_public", says: "The host is not a full public host name." },
  reserved_name: { fault: "not_public", says: "The host name is reserved and not public." },
  address: { fault: "not_public", says: "The URL does not lead to a public address." },
  too_many_addresses: { fault: "not_public", says: "The host name resolves to too many addresses." },
  unresolved: { fault: "not_public", says: "The host name does not resolve." }
} as const satisfies Readonly<
  Record<string, { readonly fault: "malformed" | "not_public"; readonly says: string }>
>
export type TargetRefusal = keyof typeof targetRefusals

/** A refused URL; `ports` lists the allowed ports if the port is the reason. */
export interface RefusedTarget {
  readonly _tag: "Refused"
  readonly reason: TargetRefusal
  readonly ports?: ReadonlyArray<number>
}

/** Returns the sentence that states why a URL is refused; it lists the allowed ports for a refused port. */
export const targetRefusalText = ({ ports = [], reason }: RefusedTarget): string => {
  const [last, ...others] = ports.toReversed()
  if (reason !== "port" || last === undefined) return targetRefusals[reason].says
  const listed = others.length === 0 ? `${last}` : `${others.toReversed().join(", ")} or ${last}`
  return `The port must be ${listed}.`
}

/** What the operator allows beyond https to the public internet. */
export interface TargetPolicy {
  /** Ports of https: WEBHOOK_PORTS (contract §4), which is 443 unless the operator sets it. */
  readonly ports: ReadonlyArray<number>
  /** Ports on 127.0.0.1 that may be called over http: WEBHOOK_LOOPBACK, never in production (contract §4). */
  readonly loopbackPorts: ReadonlyArray<number>
}

export const publicTargets: TargetPolicy = { ports: [443], loopbackPorts: [] }

/** A URL that may be called as far as its text tells; a name's addresses are judged when it is resolved. */
export interface Target {
  readonly secure: boolean
  /** As it is dialled: in lower case, ASCII, an IPv6 address without brackets. */
  readonly host: string
  /** `address`: the host is an address, which was judged here, and nothing is resolved. */
  readonly hostIs: "name" | "address"
  readonly port: number
  /** Scheme, host and port, for the request. */
  readonly origin: string
  /** Path and query, for the request. */
  readonly path: string
}

/** What was judged; `Loopback` is allowed by the policy's loopback ports alone. */
export type TargetJudgement =
  | { readonly _tag: "Public" | "Loopback"; readonly target: Target }
  | RefusedTarget

/** The layers that need no look-up: the text of the URL, its host, and the address where the host is one. */
export const judgeUrl = (text: string, policy: TargetPolicy): TargetJudgement => {
  const written = readText(text)
  if (typeof written === "string") return refusedFor(written)
  const url = URL.parse(text)
  if (url === null) return refusedFor("malformed")
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1")
  const port = url.port === "" ? standardPorts[written.scheme] : Number(url.port)
  const target: Target = {
    secure: written.scheme === "https",
    host,
    hostIs: parseStrictly(host) === undefined ? "name" : "address",
    port,
    origin: url.origin,
    path: url.pathname + url.search
  }
  if (!target.secure) {
    const allowed = written.host === loopbackHost && policy.loopbackPorts.includes(port)
    return allowed ? { _tag: "Loopback", target } : refusedFor("scheme")
  }
  if (!policy.ports.includes(port)) return { _tag: "Refused", reason: "port", ports: policy.ports }
  const reason = judgeHost(target, written.host)
  return reason === undefined ? { _tag: "Public", target } : refusedFor(reason)
}

/** A name has at most so many addresses. */
export const addressesMax = 32

/** Every answer must be public: of a mixed list the next attempt might dial the other. */
export const judgeAddresses = (addresses: ReadonlyArray<string>): TargetRefusal | undefined => {
  if (addresses.length === 0) return "unresolved"
  if (addresses.length > addressesMax) return "too_many_addresses"
  return addresses.every(isPublicAddress) ? undefined : "address"
}

export const loopbackHost = "127.0.0.1"

/**
 * The WHATWG parser, which every runtime has and which reaches nothing. It is told here because core's types
 * name no runtime; its repairs are why the text is judged before it and its host after.
 */
declare const URL: {
  readonly parse: (text: string) => {
    readonly hostname: string
    readonly port: string
    readonly origin: string
    readonly pathname: string
    readonly search: string
  } | null
}

const refusedFor = (reason: TargetRefusal): RefusedTarget => ({ _tag: "Refused", reason })

const standardPorts = { https: 443, http: 80 } as const

interface Written {
  readonly scheme: "https" | "http"
  /** As the caller wrote it, brackets of IPv6 included. */
  readonly host: string
}

/** Control, unassigned and format characters, every kind of space, and what is drawn as nothing. */
const badCharacter = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\\]/u

/** The text as it was written, before any parser repairs it. */
const readText = (text: string): Written | TargetRefusal => {
  if (text.length === 0 || [...text].length > urlCharactersMax) return "length"
  if (badCharacter.test(text)) return "bad_character"
  const [, scheme = "", authority = ""] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i.exec(text) ?? []
  const named = scheme.toLowerCase()
  if (scheme === "") return "malformed"
  if (named !== "https" && named !== "http") return "scheme"
  if (authority.includes("@")) return "userinfo"
  if (text.includes("#")) return "fragment"
  const [, host = ""] = /^(\[[^\]]*\]|[^:[\]]*)(?::(?:[1-9]\d*)?)?$/.exec(authority) ?? []
  if (host === "") return "malformed"
  if (host.includes("%") && !host.startsWith("[")) return "percent_in_host"
  return { scheme: named, host }
}

const judgeHost = (target: Target, written: string): TargetRefusal | undefined => {
  if (target.hostIs === "name") return judgeName(target.host)
  if (!target.host.includes(":") && target.host !== written) return "noncanonical_ip"
  return isPublicAddress(target.host) ? undefined : "address"
}

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
/**
 * Letters alone, or the ASCII form of other letters: what ends in a number is an address to some resolver.
 */
const topLabel = /^([a-z]{2,63}|xn--[a-z0-9-]*[a-z0-9])$/
/** RFC 1035: what a name may come to, without its last dot. */
export const nameCharactersMax = 253

const judgeName = (name: string): TargetRefusal | undefined => {
  if (name.endsWith(".")) return "trailing_dot"
  const labels = name.split(".")
  const isName =
    labels.length > 1 &&
    name.length <= nameCharactersMax &&
    labels.every((part) => label.test(part)) &&
    topLabel.test(labels.at(-1) ?? "")
  if (!isName) return "hostname"
  return reservedNames.some((reserved) => name === reserved || name.endsWith(`.${reserved}`))
    ? "reserved_name"
    : undefined
}

/**
 * Names that are no part of the public tree (RFC 6761 and its like), or that networks use among themselves.
 */
const reservedNames: ReadonlyArray<string> = [
  "localhost",
  "local",
  "internal",
  "lan",
  "home",
  "corp",
  "private",
  "home.arpa",
  "onion",
  "invalid",
  "test",
  "example",
  "arpa",
  "alt"
]
