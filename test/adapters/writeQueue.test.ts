import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import type { Member } from "../../adapters/postgres/sharing/Member.ts"
import { makeQueue, membersMax } from "../../adapters/postgres/sharing/queue.ts"

const member = (subject: string): Member => ({ subject, begin: () => Effect.void, end: () => undefined })

const queued = (subjects: ReadonlyArray<string>) => {
  const queue = makeQueue()
  const members = subjects.map(member)
  for (const each of members) queue.add(each)
  return { queue, members, next: () => queue.next().map(({ subject }) => subject) }
}

it("writes that go together lock in the order of their subjects, whatever order they came in", () => {
  expect(queued(["c", "a", "d", "b"]).next()).toEqual(["a", "b", "c", "d"])
})

it("a subject's next write waits until the one before is over", () => {
  const { queue, members, next } = queued(["a", "a", "b"])
  expect(next()).toEqual(["a", "b"])
  expect(next()).toEqual([])
  for (const each of members.slice(0, 1)) queue.release(each)
  expect(next()).toEqual(["a"])
})

it("a subject that spoiled what it shared goes alone for a while", () => {
  const { queue, members, next } = queued(["a", "b", "c"])
  for (const each of members.slice(1, 2)) queue.keepApart(each)
  expect(next()).toEqual(["a", "c"])
  expect(next()).toEqual(["b"])
})

it("no more go together than fit into a pipeline", () => {
  const many = Array.from({ length: membersMax + 3 }, (_, nth) => String(1_000 + nth))
  const { next } = queued(many)
  expect(next().length).toBe(membersMax)
  expect(next().length).toBe(3)
})
