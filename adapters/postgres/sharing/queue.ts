import { makeCache } from "../../../core/workflow/cache.ts"
import { steadyMs } from "../steadyMs.ts"
import type { Member } from "./Member.ts"

/** So many fit into a connection's pipeline; more gain little and wait for each other longer. */
export const membersMax = 64

/** A subject that spoiled what it shared goes alone for so long. */
export const apartMs = 5_000

/** Marks of subjects beyond so many are forgotten, which costs another try. */
const apartMax = 1_000

/** The writes that wait, and whose writes run: a subject's next waits for the one before. */
export const makeQueue = () => {
  const waiting = new Set<Member>()
  const busy = new Set<string>()
  const apart = makeCache<string, number>({ weightMax: apartMax })
  const isApart = ({ subject }: Member): boolean => (apart.get(subject) ?? 0) > steadyMs()
  const take = (member: Member): Member => {
    waiting.delete(member)
    busy.add(member.subject)
    return member
  }
  return {
    size: () => waiting.size,
    add: (member: Member): void => void waiting.add(member),
    remove: (member: Member): boolean => waiting.delete(member),
    release: ({ subject }: Member): void => void busy.delete(subject),
    keepApart: ({ subject }: Member): void => {
      apart.set(subject, steadyMs() + apartMs)
    },
    /** Those that go next, together; none while all who wait wait for others of their subject. */
    next: (): ReadonlyArray<Member> => {
      const group: Array<Member> = []
      for (const member of waiting) {
        if (busy.has(member.subject)) continue
        if (isApart(member)) {
          if (group.length === 0) return [take(member)]
          continue
        }
        group.push(take(member))
        if (group.length === membersMax) break
      }
      // Locks are taken in one order by all who share, here and in other processes.
      return group.sort((one, other) => (one.subject < other.subject ? -1 : 1))
    }
  }
}
