import { describe, expect, it } from "vitest"
import { listingFrom } from "../../adapters/postgres/library/listing.ts"
import { rowOf, versionOf } from "../../adapters/postgres/library/versionRow.ts"
import { spineOf } from "../../core/port/listing.ts"
import { documentOf, imported } from "../kit/library.ts"

const version = {
  ...documentOf({ policyId: "L90001", documentVersion: "52" }),
  version: 1,
  fingerprintSha256: "f".repeat(64),
  recordedAt: imported
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
    const { documentVersion, ...old } = spineOf(version)
    expect(documentVersion).toBe("52")
    expect(listingFrom({ ...rest, listing: old }).documentVersion).toBeNull()
    expect(listingFrom({ ...rest, listing: spineOf(version) }).documentVersion).toBe("52")
  })
})
