import { describe, expect, it } from "vitest"
import { listingFrom } from "../../adapters/postgres/library/listing.ts"
import { rowOf, versionOf } from "../../adapters/postgres/library/versionRow.ts"
import { listingCoreOf } from "../../core/port/listing.ts"
import { documentOf, importedAt } from "../kit/library.ts"

const version = {
  ...documentOf({ policyId: "L90001", documentVersion: "52" }),
  version: 1,
  fingerprintSha256: "f".repeat(64),
  recordedAt: importedAt
}

describe("rows of versions that were kept before documents named their own version", () => {
  it("are read as documents that name none; later rows keep theirs", () => {
    const row = rowOf(version)
    const kept = { narrative: JSON.parse(row.narrative), criteria: [], code_groups: [] }
    expect(versionOf(kept)).toEqual(version)
    const { documentVersion: _, ...old } = kept.narrative
    expect(versionOf({ ...kept, narrative: old })).toEqual({ ...version, documentVersion: null })
  })

  it("are listed as such", () => {
    const rest = { status: "active", summary: null, first_codes: null, criteria: null } as const
    const { documentVersion, ...old } = listingCoreOf(version)
    expect(documentVersion).toBe("52")
    expect(listingFrom({ ...rest, listing: old }).documentVersion).toBeNull()
    expect(listingFrom({ ...rest, listing: listingCoreOf(version) }).documentVersion).toBe("52")
  })
})
