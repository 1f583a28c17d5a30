import * as fc from "fast-check"

/**
 * How many generated histories a property is tried on: its usual number, small enough for every run of the
 * tests, or COVERAGE_HISTORIES where that is set, as `npm run test:histories` does.
 */
export const runs = (usual: number): number => asked ?? usual

const read = (text: string | undefined): number | undefined => {
  if (text === undefined || text === "") return undefined
  const count = Number(text)
  if (Number.isSafeInteger(count) && count > 0) return count
  throw new Error("COVERAGE_HISTORIES must be a positive whole number")
}

const asked = read(process.env["COVERAGE_HISTORIES"])

// Properties that name no number of their own are tried on fast-check's own hundred.
fc.configureGlobal({ numRuns: runs(100) })
