/** What was found at a path, with the step of it that the route leaves open. */
export interface Found<Handler> {
  readonly handler: Handler
  readonly params: Readonly<Record<string, string | undefined>>
}

interface LastStep<Handler> {
  readonly name: string
  readonly handler: Handler
}

/**
 * Finds routes whose path is written out, or written out but for its last step, at a path that needs no
 * decoding: one look into a table each, where a router decodes, cuts off the query and walks. It says of
 * every other path that it found nothing; whoever asks then asks a router.
 */
export const makePlainPaths = <Handler>() => {
  const written = new Map<string, Handler>()
  const lastOpen = new Map<string, LastStep<Handler>>()
  return {
    /** Takes a path as routers write it (`/codes/:code`); one with an open step elsewhere is left out. */
    add: (path: string, handler: Handler): void => {
      const start = path.lastIndexOf("/") + 1
      const [before, last] = [path.slice(0, start), path.slice(start)]
      if (before.includes(":")) return
      if (last.startsWith(":")) lastOpen.set(before, { name: last.slice(1), handler })
      else written.set(path, handler)
    },
    find: (path: string): Found<Handler> | undefined => {
      if (!isPlain(path)) return undefined
      const handler = written.get(path)
      if (handler !== undefined) return { handler, params: {} }
      const start = path.lastIndexOf("/") + 1
      if (start === path.length) return undefined
      const open = lastOpen.get(path.slice(0, start))
      if (open === undefined) return undefined
      return { handler: open.handler, params: { [open.name]: path.slice(start) } }
    }
  }
}

/** Nothing to decode, and no query: one search for each is faster than one for any of them. */
const isPlain = (path: string): boolean =>
  !path.includes("?") && !path.includes("%") && !path.includes(";") && !path.includes("#")
