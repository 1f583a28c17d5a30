/**
 * PostgreSQL keeps every character but NUL, and refuses the whole statement for one. A client may send it,
 * and no document, code or title holds it, so a replacement character finds the nothing that the NUL would
 * have found.
 */
export const plainText = (text: string): string => text.replaceAll("\0", "\u{FFFD}")
