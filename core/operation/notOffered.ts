import { surfacePrefix } from "./Operation.ts"

/** The first steps of paths that clients of other services call and that no operation of this one has. */
const notOffered = [
  "/attachments",
  "/claims/status",
  "/claims/submit",
  "/denials",
  "/drugs",
  "/eligibility",
  "/fee-schedule",
  "/fee-schedules",
  "/formulary",
  "/graphql",
  "/ndc",
  "/npi",
  "/prior-auth/submit",
  "/pricing",
  "/providers",
  "/rates",
  "/research",
  "/spending"
] as const

/**
 * What is said of a path on an API surface that names something this service does not do; undefined for any
 * other path, which is more likely mistyped.
 */
export const notOfferedHint = (path: string): string | undefined => {
  const prefix = Object.values(surfacePrefix).find((each) => path.startsWith(`${each}/`))
  if (prefix === undefined) return undefined
  const rest = path.slice(prefix.length)
  const name = notOffered.find((each) => rest === each || rest.startsWith(`${each}/`))
  return name && `This service does not offer ${name}; the operations that it offers are listed in /docs.`
}
