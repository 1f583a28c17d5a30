import * as Schema from "effect/Schema"
import { precedence } from "../coverage/view.ts"
import { canonicalJson } from "../json/canonicalJson.ts"
import type { ReleaseId, Sha256 } from "./ReleaseId.ts"

/** The names of what a release is and of what its records hold (contract §2). */
export const releaseSchemaVersion = "certified_release.v1"
export const fieldProfile = "derived_decision_v1"

/** How decisions are derived of policies; a change of the rule takes another version. */
const deriver = { name: "policy_codes", version: "3" } as const

/** A text's SHA-256 in lower-case hex, which the kernel is given. */
export type HashText = (text: string) => string

/** An imported snapshot; its id is the hash of its files' bytes. */
const Source = Schema.Struct({ kind: Schema.String, source_as_of: Schema.String, sha256: Schema.String })
export type Source = typeof Source.Type

/**
 * All that a release is made of (coverage-domain §2.2); its canonical JSON is hashed, signed and never
 * changed. When it was certified is no part of it: the same inputs are the same release whenever they are
 * certified.
 */
export const Manifest = Schema.Struct({
  release_schema_version: Schema.Literal(releaseSchemaVersion),
  field_profile: Schema.Literal(fieldProfile),
  /** `fixtures`: the sandbox's invented policies, which no one must take for real ones. */
  origin: Schema.Literals(["imported", "fixtures"]),
  deriver: Schema.Struct({ name: Schema.String, version: Schema.String, rules_sha256: Schema.String }),
  /** The day whose policies in force were derived. */
  source_as_of: Schema.String,
  sources: Schema.Array(Source),
  source_set_sha256: Schema.String,
  dataset_sha256: Schema.String,
  decision_count: Schema.Int,
  policy_count: Schema.Int
})
export type Manifest = typeof Manifest.Type

/** What differs from one release to the next. */
export interface Content {
  readonly origin: Manifest["origin"]
  readonly sourceAsOf: string
  /** In any order. */
  readonly sources: ReadonlyArray<Source>
  /** The Merkle root of the record hashes, in hex. */
  readonly datasetSha256: string
  readonly decisions: number
  readonly policies: number
}

/** The manifest of the content; the sources are a set and stand in one order. */
export const manifestOf = (hash: HashText, content: Content): Manifest => {
  const sources = content.sources.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  return {
    release_schema_version: releaseSchemaVersion,
    field_profile: fieldProfile,
    origin: content.origin,
    deriver: { ...deriver, rules_sha256: hash(`rules.v1\0${canonicalJson(precedence)}`) },
    source_as_of: content.sourceAsOf,
    sources,
    source_set_sha256: sourceSetSha256(hash, sources),
    dataset_sha256: content.datasetSha256,
    decision_count: content.decisions,
    policy_count: content.policies
  }
}

/** The hash of the sources as the manifest lists them. */
export const sourceSetSha256 = (hash: HashText, sources: ReadonlyArray<Source>): Sha256 =>
  hash(`sources.v1\0${canonicalJson(sources)}`) as Sha256

/** The bytes that are hashed and signed, as text. */
export const manifestText = (manifest: Manifest): string => canonicalJson(manifest)

export const manifestSha256 = (hash: HashText, manifest: Manifest): Sha256 =>
  hash(manifestText(manifest)) as Sha256

export const releaseIdOf = (hash: HashText, manifest: Manifest): ReleaseId =>
  `rel_${manifestSha256(hash, manifest)}` as ReleaseId

const nameOf = (source: Source): string => `${source.kind} ${source.sha256}`
