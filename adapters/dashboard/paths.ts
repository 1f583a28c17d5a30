/** Finds the row of a path; `:name` stands for one segment that is not empty. */
export interface Path<Row> {
  readonly find: (path: string) => PathMatch<Row> | undefined
}

export interface PathMatch<Row> {
  /** The rows of one path, one for each method. */
  readonly rows: ReadonlyArray<Row>
  readonly param: (name: string) => string
}

/** A written segment wins over `:name`, whatever the order of the table. */
export const pathsOf = <Row extends { readonly path: string }>(table: ReadonlyArray<Row>): Path<Row> => {
  const patterns = [...Map.groupBy(table, ({ path }) => path)]
    .map(([path, rows]) => ({ segments: path.split("/"), rows }))
    .toSorted((left, right) => named(left.segments) - named(right.segments))
  return {
    find: (path) => {
      const asked = segmentsOf(path)
      if (asked === undefined) return undefined
      const found = patterns.find(({ segments }) => fits(segments, asked))
      if (found === undefined) return undefined
      const { rows, segments } = found
      return { rows, param: (name) => asked[segments.indexOf(`:${name}`)] ?? "" }
    }
  }
}

const named = (segments: ReadonlyArray<string>): number =>
  segments.filter((segment) => segment.startsWith(":")).length

const fits = (segments: ReadonlyArray<string>, asked: ReadonlyArray<string>): boolean =>
  segments.length === asked.length &&
  segments.every((segment, index) =>
    segment.startsWith(":") ? asked[index] !== "" : segment === asked[index]
  )

const segmentsOf = (path: string): ReadonlyArray<string> | undefined => {
  try {
    const segments = path.split("/").map(decodeURIComponent)
    return segments.some((segment) => segment.includes("\0")) ? undefined : segments
  } catch {
    return undefined
  }
}
