import { surfacePrefix } from "./Operation.ts"
import { testKeyRows } from "./testKeys.ts"

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
  "/prior-auth/research",
  "/prior-auth/status",
  "/prior-auth/submit",
  "/pricing",
  "/providers",
  "/rates",
  "/research",
  "/spending"
] as const

/** Generated clients send the sandbox's own operation here if their base address is that of the live API. */
const { path: keysPath } = testKeyRows.createTestKey
const keysHint =
  `Test keys are created in the sandbox: POST ${surfacePrefix.sandbox}${keysPath}. ` +
  "Live keys are created in the dashboard, or by the operator."

/**
 * Returns the hint for an unknown path on an API surface that another service or another surface has;
 * undefined for any other path, which is more likely mistyped.
 */
export const notOfferedHint = (path: string): string | undefined => {
  const prefix = Object.values(surfacePrefix).find((each) => path.startsWith(`${each}/`))
  if (prefix === undefined) return undefined
  const rest = path.slice(prefix.length)
  if (rest === keysPath && prefix === surfacePrefix.live) return keysHint
  const name = notOffered.find((each) => rest === each || rest.startsWith(`${each}/`))
  return name && `This service does not offer ${name}; the operations that it offers are listed in /docs.`
}
