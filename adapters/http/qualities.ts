/**
 * What a header names and how much each is wanted, 0 to 1 (RFC 9110 §12.4.2), in lower case: `Accept` and
 * `Accept-Encoding` are written alike.
 */
export const qualities = (header: string): ReadonlyMap<string, number> =>
  new Map(
    header
      .toLowerCase()
      .split(",")
      .map((entry) => {
        const [name = "", ...parameters] = entry.split(";").map((part) => part.trim())
        const quality = parameters.find((parameter) => parameter.startsWith("q="))
        return [name, quality === undefined ? 1 : Number(quality.slice(2)) || 0] as const
      })
  )
