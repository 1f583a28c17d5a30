import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { IsoTime } from "../../core/coverage/date.ts"
import { canonicalJson } from "../../core/json/canonicalJson.ts"
import { manifestText } from "../../core/release/manifest.ts"
import { decisionsOf, decisionView, recordOf, recordSha256 } from "../../core/release/record.ts"
import type { ReleaseEnd, Release } from "../../core/release/Release.ts"
import { releaseState } from "../../core/release/Release.ts"
import { parseReleaseId } from "../../core/release/ReleaseId.ts"
import { diagnoses, documentOf, procedure, ruleOf } from "../kit/library.ts"
import { certificateOf, decisionsFor, mcd, sha256Hex, versionOf } from "../kit/releases.ts"

const wheelchair = documentOf({
  policyId: "L33831",
  effectiveDate: null,
  codeGroups: [procedure("E0601", "K0001"), diagnoses("E1165")],
  sourceShape: "criteria_backed"
})

describe("contract §2: the record of a decision", () => {
  it("is hashed as decision.v1, a NUL and its canonical JSON, and its id is made of the hash", () => {
    const version = versionOf(wheelchair)
    const { codes, policy } = decisionsOf(sha256Hex, version)
    const [first] = codes.filter(({ code }) => code === "E0601")
    if (first === undefined) expect.fail("the code is not decided")
    const text =
      '{"code":"E0601","code_system":"HCPCS","disposition":"conditional","effective_date":"0001-01-01",' +
      '"line_of_business":"traditional_medicare","payer_code":"medicare","policy_fingerprint_sha256":"' +
      `${version.fingerprintSha256}","policy_id":"L33831","policy_version":1,"retire_date":null,` +
      `"source_document_sha256":"${"0".repeat(64)}"}`
    expect(canonicalJson(recordOf(policy, first))).toBe(text)
    expect(first.recordSha256).toBe(sha256Hex(`decision.v1\0${text}`))
    expect(decisionView({ policy, code: first })).toEqual({
      decision_id: `dec_${first.recordSha256}`,
      record_sha256: first.recordSha256,
      ...JSON.parse(text)
    })
  })

  it("says of each code what the policy's own read says, once", () => {
    const { codes } = decisionsOf(sha256Hex, versionOf(wheelchair))
    expect(codes.map(({ code, disposition }) => [code, disposition])).toEqual([
      ["E0601", "conditional"],
      ["K0001", "conditional"],
      ["E1165", "covered"]
    ])
  })

  it("a payer's policy without a line of business is about all of them", () => {
    const policy = { ...wheelchair.policy, payerCode: "northstar" }
    const lineOf = (lineOfBusiness: string | null) =>
      decisionsOf(sha256Hex, versionOf({ ...wheelchair, policy: { ...policy, lineOfBusiness } })).policy
        .lineOfBusiness
    expect([lineOf(null), lineOf("medicaid")]).toEqual(["all", "medicaid"])
  })

  it("any member that differs gives another hash, and the order of members gives none", () => {
    const { codes, policy } = decisionsFor("L33831", "E0601")
    const [code] = codes
    if (code === undefined) expect.fail("the code is not decided")
    const record = recordOf(policy, code)
    fc.assert(
      fc.property(fc.shuffledSubarray(Object.entries(record), { minLength: 11 }), (shuffled) => {
        const turned = Object.fromEntries(shuffled) as typeof record
        expect(recordSha256(sha256Hex, turned)).toBe(code.recordSha256)
      })
    )
    for (const name of Object.keys(record))
      expect(recordSha256(sha256Hex, { ...record, [name]: "another" })).not.toBe(code.recordSha256)
  })

  it("one changed character of a document, or of a rule of a payer's, changes every record of it", () => {
    const hashesOf = (document: typeof wheelchair) =>
      decisionsOf(sha256Hex, versionOf(document)).codes.map(({ recordSha256: hash }) => hash)
    const before = hashesOf({ ...wheelchair, priorAuth: [ruleOf({ documentation: ["A chart"] })] })
    const changes = [
      hashesOf({ ...wheelchair, priorAuth: [ruleOf({ documentation: ["A Chart"] })] }),
      hashesOf({
        ...wheelchair,
        title: "Policy L33831.",
        priorAuth: [ruleOf({ documentation: ["A chart"] })]
      }),
      hashesOf({
        ...wheelchair,
        sourceDocumentSha256: `1${"0".repeat(63)}`,
        priorAuth: [ruleOf({ documentation: ["A chart"] })]
      })
    ]
    for (const after of changes) expect(after.filter((hash) => before.includes(hash))).toEqual([])
  })
})

describe("coverage-domain §2.2: a release's id is its content", () => {
  const hashes = ["1", "2", "3"].map((digit) => digit.repeat(64))
  const { manifest, releaseId } = certificateOf(hashes)
  const hcpcs = { kind: "hcpcs", source_as_of: "2026-01-01", sha256: "b".repeat(64) }

  it("is rel_ and the SHA-256 of the manifest's bytes, whenever it is certified", () => {
    expect(releaseId).toBe(`rel_${sha256Hex(manifestText(manifest))}`)
    expect(parseReleaseId(releaseId)).toBe(releaseId)
    const later = certificateOf(hashes, {
      certifiedAt: "2030-01-01T00:00:00.000Z" as IsoTime,
      signature: "x"
    })
    expect(later.releaseId).toBe(releaseId)
  })

  it("the sources are a set; another source, record or day is another release", () => {
    const both = certificateOf(hashes, { sources: [mcd, hcpcs] })
    expect(certificateOf(hashes, { sources: [hcpcs, mcd] })).toEqual(both)
    const newer = { ...mcd, sha256: "c".repeat(64) }
    expect(certificateOf(hashes, { sources: [newer, mcd] })).toEqual(
      certificateOf(hashes, { sources: [mcd, newer] })
    )
    const others = [both, certificateOf(hashes.slice(1)), certificateOf(hashes, { sources: [hcpcs] })]
    expect(new Set([releaseId, ...others.map((one) => one.releaseId)]).size).toBe(4)
  })

  it.each(["", "rel_", `rel_${"A".repeat(64)}`, `REL_${"a".repeat(64)}`, `rel_${"a".repeat(65)}`, "rel_\0"])(
    "%j is no release id",
    (text) => expect(parseReleaseId(text)).toBe(undefined)
  )
})

describe("contract §2: a release is available until it expires or is ended", () => {
  const release: Release = { ...certificateOf([]), endings: [] }
  const at = (time: string, ...kinds: ReadonlyArray<ReleaseEnd["kind"]>) =>
    releaseState(
      { ...release, endings: kinds.map((kind) => ({ kind, reason: null, at: release.certifiedAt })) },
      time as IsoTime
    )

  it("at the very instant of its expiry it is expired; to be revoked outweighs that", () => {
    expect(at("2027-03-06T10:00:00.000Z")).toBe("available")
    expect(at("2027-03-06T10:00:00.001Z")).toBe("expired")
    expect(at("2026-03-07T00:00:00.000Z", "expired")).toBe("expired")
    expect(at("2026-03-07T00:00:00.000Z", "revoked")).toBe("revoked")
    expect(at("2030-01-01T00:00:00.000Z", "expired", "revoked")).toBe("revoked")
  })
})
