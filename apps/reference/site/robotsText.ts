/** What is for programs with a key, and the pages of people who are signed in or were sent a link. */
const closed = ["/api/", "/mcp", "/dashboard", "/oauth/", "/invitations/", "/verify", "/reset", "/logout"]

/** /robots.txt (RFC 9309): everything may be read but what shows nothing to who is not signed in. */
export const robotsText = (): string =>
  ["User-agent: *", ...closed.map((path) => `Disallow: ${path}`), "Allow: /", ""].join("\n")
