/**
 * A reading that is made once of each part of a document and forgotten with it: documents are never changed,
 * and their texts and lists are long. What else is given must be the same for the same part.
 */
export const readOnce = <Part extends object, Rest extends ReadonlyArray<unknown>, Reading extends {}>(
  read: (part: Part, ...rest: Rest) => Reading
): ((part: Part, ...rest: Rest) => Reading) => {
  const known = new WeakMap<Part, Reading>()
  return (part, ...rest) => {
    const before = known.get(part)
    if (before !== undefined) return before
    const reading = read(part, ...rest)
    known.set(part, reading)
    return reading
  }
}
