/**
 * Whether a request that changes something comes from a page of ours. Browsers say so themselves
 * (Sec-Fetch-Site); where one does not, its Origin must be ours, and where neither is said the request is
 * refused: a form of ours is always sent with one.
 */
export const isOwnRequest = (
  headers: {
    readonly fetchSite: string | undefined
    readonly origin: string | undefined
  },
  ownOrigin: string
): boolean => {
  if (headers.fetchSite !== undefined) return headers.fetchSite === "same-origin"
  return headers.origin === ownOrigin
}
