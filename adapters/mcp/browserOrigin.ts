/** How a browser says where a request comes from and whom it is for. */
export interface BrowserOrigin {
  readonly host: string | undefined
  readonly origin: string | undefined
}

/** What BASE_URL allows, and whether this is a development server, which is also called by loopback names. */
export interface Place {
  readonly baseUrl: string
  readonly development: boolean
}

/**
 * Whether a request is meant for this server and comes from no foreign page (MCP, Streamable HTTP: Origin
 * must be checked against DNS rebinding). Host is BASE_URL's, in development also a loopback name on any
 * port, which no name server can be made to lie about. Origin is absent or of the same place as the Host. A
 * token in the Authorization header is never sent by a browser on its own, so foreign pages lose nothing that
 * CORS would have to give them: there is none.
 */
export const isOwn = ({ baseUrl, development }: Place): ((said: BrowserOrigin) => boolean) => {
  const base = new URL(baseUrl)
  const defaultPort = base.protocol === "https:" ? ":443" : ":80"
  const ownHosts: ReadonlySet<string> = new Set(
    base.port === "" ? [base.host, base.host + defaultPort] : [base.host]
  )
  const isOwnHost = (host: string): boolean =>
    ownHosts.has(host.toLowerCase()) || (development && loopback.test(host))
  return ({ host, origin }) => {
    if (host === undefined || !isOwnHost(host)) return false
    if (origin === undefined || origin === base.origin) return true
    return development && loopback.test(host) && origin.toLowerCase() === `http://${host.toLowerCase()}`
  }
}

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i
