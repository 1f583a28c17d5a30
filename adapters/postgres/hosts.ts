/** One server of a DATABASE_URL. */
export interface DatabaseHost {
  readonly host: string
  readonly port: number
}

/** A DATABASE_URL as libpq writes it: `postgresql://user@a:5432,b:5432/name?target_session_attrs=primary`. */
export interface DatabaseAddress {
  /** With the first host only, as the driver takes it. */
  readonly url: string
  /** In the order in which they are tried. */
  readonly hosts: readonly [DatabaseHost, ...ReadonlyArray<DatabaseHost>]
}

const shape = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/
const standardPort = 5432

/** Of several hosts the one that takes writes is used, so no other wish makes sense. */
const writable: ReadonlySet<string> = new Set(["read-write", "primary"])

/** Reads one host or several; undefined: no URL of PostgreSQL, or it wants a server without writes. */
export const parseDatabaseUrl = (text: string): DatabaseAddress | undefined => {
  const found = shape.exec(text)
  if (found === null) return undefined
  const [, before = "", authority = "", path = "", query = ""] = found
  const [first, ...others] = authority.split(",")
  const url = `${before}${first ?? ""}${path}${query === "" ? "" : `?${query}`}`
  const hosts = [first ?? "", ...others].map(hostOf)
  const attributes = new URLSearchParams(query).get("target_session_attrs")
  if (!URL.canParse(url) || (attributes !== null && !writable.has(attributes))) return undefined
  const [one, ...more] = hosts.filter((host) => host !== undefined)
  return one === undefined || more.length !== others.length ? undefined : { url, hosts: [one, ...more] }
}

const hostOf = (text: string): DatabaseHost | undefined => {
  const found = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]*)(?::(\d{1,5}))?$/.exec(text)
  if (found === null) return undefined
  const port = Number(found[2] ?? standardPort)
  return port < 1 || port > 65_535 ? undefined : { host: (found[1] ?? "").replace(/^\[|\]$/g, ""), port }
}
