import * as fc from "fast-check"
import { expect, it } from "vitest"
import { makeRoll } from "../../core/workflow/roll.ts"

it("names who is there after any comings and goings, in as many places as were taken at once", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 9 }), { maxLength: 60 }), (steps) => {
      const roll = makeRoll<number>()
      const there = new Map<number, number>()
      let most = 0
      for (const step of steps) {
        const place = there.get(step)
        if (place === undefined) there.set(step, roll.enter(step))
        else {
          roll.leave(place)
          there.delete(step)
        }
        most = Math.max(most, there.size)
        const named: Array<number> = []
        roll.forEach((item) => named.push(item))
        expect(named.toSorted()).toEqual([...there.keys()].toSorted())
        expect(roll.size()).toBe(there.size)
        expect(Math.max(-1, ...there.values())).toBeLessThan(most)
      }
    })
  )
})
