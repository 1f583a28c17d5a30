import * as fc from "fast-check"
import { expect, it } from "vitest"
import { byRequestId } from "../../adapters/postgres/openCalls.ts"

/** Few ids, of which some share a bucket, so that what is removed is often not the last of it. */
const ids = fc.constantFrom("req_aaa", "req_baa", "req_caa", "req_a1z", "req_b1z", "r", "")

it("holds what a Map would, after any comings and goings", () => {
  fc.assert(
    fc.property(fc.array(ids, { maxLength: 60 }), (steps) => {
      const calls = byRequestId<{ readonly requestId: string; readonly nth: number }>()
      const model = new Map<string, number>()
      steps.forEach((requestId, nth) => {
        if (model.delete(requestId)) calls.remove(requestId)
        else {
          model.set(requestId, nth)
          calls.add({ requestId, nth })
        }
        const all: Array<string> = []
        calls.forEach((call) => all.push(`${call.requestId} ${call.nth}`))
        expect(all.toSorted()).toEqual([...model].map(([id, at]) => `${id} ${at}`).toSorted())
        expect(calls.size()).toBe(model.size)
        expect(calls.get(requestId)?.nth).toBe(model.get(requestId))
      })
    })
  )
})

it("removing what is not there changes nothing", () => {
  const calls = byRequestId()
  calls.add({ requestId: "req_aaa" })
  calls.remove("req_baa")
  expect(calls.size()).toBe(1)
})
