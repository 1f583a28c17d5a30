import type { Success } from "./readAnswer.ts"

/** An answer and the tag that asks whether it is still the same (contract §1, ETag). */
export interface KeptAnswer {
  readonly etag: string
  readonly told: Success
}

/** The answers of one client, by their address; the one unused for longest makes room. */
export const makeKeptAnswers = (max: number) => {
  const answers = new Map<string, KeptAnswer>()
  const keep = (
    path: string,
    { etag, told }: { readonly etag: string | null; readonly told: Success }
  ): void => {
    if (max === 0 || etag === null) return
    answers.delete(path)
    answers.set(path, { etag, told })
    const [oldest] = answers.keys()
    if (answers.size > max && oldest !== undefined) answers.delete(oldest)
  }
  return {
    keep,
    find: (path: string): KeptAnswer | undefined => {
      const found = answers.get(path)
      if (found !== undefined) keep(path, found)
      return found
    }
  }
}
