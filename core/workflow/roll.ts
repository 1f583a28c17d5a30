/**
 * Who is there just now, of many who come and go. A Map or a Set would do, but V8 makes a new table for one
 * every few departures and lets the old table refer to the new: once one of them is old enough to be swept
 * only with the whole heap, all that came after it lives as long, and every answered call with it. With a Set
 * a call costs Node 1.12 of its CPU (docs/decisions/0063).
 */
export interface Roll<Item> {
  /** Answers the place to leave again. */
  readonly enter: (item: Item) => number
  readonly leave: (place: number) => void
  readonly forEach: (visit: (item: Item) => void) => void
  readonly size: () => number
}

/** An empty roll; it keeps as many places as were ever taken at once. */
export const makeRoll = <Item>(): Roll<Item> => {
  const items: Array<Item | undefined> = []
  const free: Array<number> = []
  return {
    enter: (item) => {
      const place = free.pop() ?? items.length
      items[place] = item
      return place
    },
    leave: (place) => {
      items[place] = undefined
      free.push(place)
    },
    forEach: (visit) => {
      for (const item of items) if (item !== undefined) visit(item)
    },
    size: () => items.length - free.length
  }
}
