/** What the browser may do with a page of ours: nothing comes from elsewhere, and nothing runs inline. */
const contentSecurityPolicy = (formOrigins: ReadonlyArray<string>): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    `form-action ${["'self'", ...formOrigins.filter((origin) => plainOrigin.test(origin))].join(" ")}`,
    "frame-ancestors 'none'",
    "base-uri 'none'"
  ].join("; ")

/** An origin that could end the directive and begin another is left out. */
const plainOrigin = /^[a-z][a-z0-9+.-]*:(\/\/[A-Za-z0-9.\-[\]:]*)?$/

/** The headers of every page, shown or moved. */
export const securityHeaders = (about: {
  readonly requestId: string
  readonly isHttps: boolean
  readonly formOrigins: ReadonlyArray<string>
}): Readonly<Record<string, string>> => ({
  "x-request-id": about.requestId,
  "content-security-policy": contentSecurityPolicy(about.formOrigins),
  "cache-control": "no-store",
  // Not `no-referrer`, under which browsers send `Origin: null` with our own forms.
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "cross-origin-resource-policy": "same-origin",
  ...(about.isHttps ? { "strict-transport-security": `max-age=${yearSeconds}` } : {})
})

const yearSeconds = 31_536_000
