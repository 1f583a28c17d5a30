/** A pattern that any of the writings matches, in capitals or not. */
export const anyOf = (...writings: ReadonlyArray<string>): RegExp =>
  new RegExp(`(?:${writings.join("|")})`, "i")
