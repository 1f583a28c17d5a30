/**
 * Returns a name for an email so that no mail program makes a link of it: `evil.com` becomes `evil. com`, and
 * `https://evil.com/x` becomes `https: //evil. com/x`. A space was preferred over an invisible character,
 * which some programs drop, and over refusing such names, which real organizations have (`Health.example`).
 */
export const breakLinks = (text: string): string => text.replaceAll(linking, "$& ")

/**
 * A dot of a host name between a letter and something else, the end of a scheme, the sign of an address, and
 * the backslashes of a network path. The dots are those that browsers accept in a host name.
 */
const linking = /(?<=\p{L})[.。．｡․](?=\S)|(?<=\S)[.。．｡․](?=\p{L})|(?<=\p{L})[:：](?=\S)|[@＠\\](?=\S)/gu
