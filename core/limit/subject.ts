/**
 * The organization whose limits the subject names, `org:<organization id>`; undefined for a test key, whose
 * limits are its own (§8.1.4).
 */
export const organizationOf = (subject: string): string | undefined =>
  subject.startsWith(organizationPrefix) ? subject.slice(organizationPrefix.length) : undefined

const organizationPrefix = "org:"
