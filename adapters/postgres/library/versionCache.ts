import type { PolicyId, PolicyVersion } from "../../../core/coverage/Policy.ts"
import { makeCache } from "../../../core/call/cache.ts"

/** Characters of all versions on a cache: some sixteen hundred documents of 20,000. */
export const cacheCharactersMax = 32 * 1024 * 1024

/** Which version: a version is never overwritten, so what a cache holds under this never goes stale. */
export interface VersionKey {
  readonly policyId: PolicyId
  readonly version: number
}

/**
 * The versions read last, so that a policy that is asked for often is not fetched and parsed on every call
 * (40 against 200 µs of processor time). The same version is the same object each time, which lets others
 * remember by identity what they made of it.
 */
export const makeVersionCache = (charactersMax: number) => {
  const versions = makeCache<string, PolicyVersion>({
    weightMax: charactersMax,
    weigh: (_, version) => charactersOf(version)
  })
  return {
    take: (key: VersionKey): PolicyVersion | undefined => versions.get(textOf(key)),
    put: (key: VersionKey, version: PolicyVersion): void => versions.set(textOf(key), version),
    /** About how many characters the versions have as JSON. */
    characters: versions.weight
  }
}

/** The cache that `makeVersionCache` makes. */
export type VersionCache = ReturnType<typeof makeVersionCache>

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
