/** Lets pages of every origin read a public document (contract §1, CORS). */
export const openToAll = { "access-control-allow-origin": "*" } as const
