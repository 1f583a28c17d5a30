/** The scopes a key may carry (§2.5). */
export const scopes = ["read", "write", "admin", "certified:derived_decision:read"] as const
export type Scope = (typeof scopes)[number]

/** Opens the decisions of one certified release and nothing else, and is never mixed with others (§5.8). */
export const certifiedScope = "certified:derived_decision:read" satisfies Scope

/** What an operation asks for, and the scopes that satisfy it (§5); `write` alone does not satisfy `read`. */
export const requirements = {
  read: ["read", "admin"],
  write: ["write", "admin"],
  certified: ["certified:derived_decision:read"]
} as const satisfies Record<string, ReadonlyArray<Scope>>
export type Requirement = keyof typeof requirements

/** Whether any of the key's scopes satisfies the requirement. */
export const satisfies = (held: ReadonlyArray<Scope>, requirement: Requirement): boolean =>
  requirements[requirement].some((scope) => held.includes(scope))
