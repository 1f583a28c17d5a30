import { resourceOf } from "./metadata.ts"

/** Under which names the server is called. */
export interface ResourcePlace {
  /** BASE_URL, without a slash at its end. */
  readonly baseUrl: string
  /** In development, the ports on which every loopback name is the server; in production none. */
  readonly loopbackPorts: ReadonlyArray<number>
}

/**
 * Returns the base URL that a client called, by its Host header: in development a loopback name of the
 * server, otherwise BASE_URL. Clients compare `resource` with the address they dialed (RFC 9728 §3.3).
 */
export const calledBaseUrl = (place: ResourcePlace, host: string | undefined): string =>
  loopbackUrls(place).find((url) => url === `http://${host?.toLowerCase() ?? ""}`) ?? place.baseUrl

/**
 * Returns the resource of the tokens if `text` names it: /mcp or the server itself, with or without a slash
 * at its end, under any name of the server. Undefined: another resource.
 */
export const readResource = (place: ResourcePlace, text: string): string | undefined =>
  [place.baseUrl, ...loopbackUrls(place)].some((url) => writings(url).includes(text))
    ? resourceOf(place.baseUrl)
    : undefined

const writings = (baseUrl: string): ReadonlyArray<string> => {
  const resource = resourceOf(baseUrl)
  return [resource, `${resource}/`, baseUrl, `${baseUrl}/`]
}

const loopbackUrls = ({ baseUrl, loopbackPorts }: ResourcePlace): ReadonlyArray<string> =>
  loopbackPorts
    .flatMap((port) => loopbackNames.map((name) => `http://${name}${port === 80 ? "" : `:${port}`}`))
    // An https BASE_URL on a loopback name is itself and not its http writing.
    .filter((url) => url.replace("http:", "https:") !== baseUrl)

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"]
