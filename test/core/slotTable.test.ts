import * as fc from "fast-check"
import { expect, it } from "vitest"
import { makeSlotTable } from "../../core/call/deadline.ts"

it("names what is there after any comings and goings, in as many slots as were taken at once", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 9 }), { maxLength: 60 }), (steps) => {
      const table = makeSlotTable<number>()
      const there = new Map<number, number>()
      let most = 0
      for (const step of steps) {
        const slot = there.get(step)
        if (slot === undefined) there.set(step, table.add(step))
        else {
          table.free(slot)
          there.delete(step)
        }
        most = Math.max(most, there.size)
        const named: Array<number> = []
        table.forEach((item) => named.push(item))
        expect(named.toSorted()).toEqual([...there.keys()].toSorted())
        expect(table.size()).toBe(there.size)
        expect(Math.max(-1, ...there.values())).toBeLessThan(most)
      }
    })
  )
})
