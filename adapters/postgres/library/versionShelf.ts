import type { PolicyId, PolicyVersion } from "../../../core/coverage/Policy.ts"

/** Characters of all versions on a shelf: some sixteen hundred documents of 20,000. */
export const shelfCharactersMax = 32 * 1024 * 1024

/** Which version: a version is never overwritten, so what a shelf holds under this never goes stale. */
export interface VersionKey {
  readonly policyId: PolicyId
  readonly version: number
}

/**
 * The versions read last, so that a policy that is asked for often is not fetched and parsed on every call
 * (40 against 200 µs of processor time). The same version is the same object each time, which lets others
 * remember by identity what they made of it.
 */
export const makeVersionShelf = (charactersMax: number) => {
  const versions = new Map<string, PolicyVersion>()
  let characters = 0
  const remove = (key: string, version: PolicyVersion) => {
    versions.delete(key)
    characters -= charactersOf(version)
  }
  return {
    take: (key: VersionKey): PolicyVersion | undefined => {
      const found = versions.get(textOf(key))
      if (found === undefined) return undefined
      // A map keeps the order of insertion: what was asked for last goes to the end.
      versions.delete(textOf(key))
      versions.set(textOf(key), found)
      return found
    },
    put: (key: VersionKey, version: PolicyVersion): void => {
      if (charactersOf(version) > charactersMax) return
      const other = versions.get(textOf(key))
      if (other !== undefined) remove(textOf(key), other)
      versions.set(textOf(key), version)
      characters += charactersOf(version)
      for (const [oldest, held] of versions) {
        if (characters <= charactersMax) return
        remove(oldest, held)
      }
    },
    /** About how many characters the versions have as JSON. */
    characters: (): number => characters
  }
}

/** The shelf that `makeVersionShelf` makes. */
export type VersionShelf = ReturnType<typeof makeVersionShelf>

const textOf = (key: VersionKey): string => `${key.version} ${key.policyId}`

const codeCharacters = 80
const frameCharacters = 1_000

const charactersOf = (version: PolicyVersion): number => {
  const { documentation, indications, limitations } = version.sections
  const passages = version.criteria.map((block) => block.text)
  const texts = [version.description, indications, limitations, documentation, ...passages]
  const listed = version.codeGroups.reduce((sum, group) => sum + group.codes.length, 0)
  const ruled = version.priorAuth?.reduce((sum, rule) => sum + rule.codes.length, 0) ?? 0
  const codes = (listed + ruled) * codeCharacters
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), frameCharacters + codes)
}
