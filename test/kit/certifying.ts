import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Signing from "../../adapters/jose/Signatures.ts"
import * as MemoryReleases from "../../adapters/memory/Releases.ts"
import * as MemorySigningKeys from "../../adapters/memory/SigningKeys.ts"
import * as NodeCrypto from "../../adapters/node/Crypto.ts"
import type { IsoDate, IsoTime } from "../../core/coverage/date.ts"
import type { PolicyDocument } from "../../core/coverage/Policy.ts"
import { Releases } from "../../core/port/Releases.ts"
import { Settings } from "../../core/port/Settings.ts"
import { Signatures as SigningPort } from "../../core/port/Signatures.ts"
import type { Snapshot } from "../../core/port/Snapshots.ts"
import { Snapshots } from "../../core/port/Snapshots.ts"
import { decisionLine, headerLine } from "../../core/release/exported.ts"
import { certify } from "../../core/admin/certify.ts"
import { importedAt, snapshotOf } from "./library.ts"
import { memoryLibrary } from "./oracle.ts"

/** What signing needs beside its keys. */
export const signingSettings = (...secretKeys: readonly [string, ...ReadonlyArray<string>]) =>
  Layer.merge(
    NodeCrypto.layer,
    Layer.succeed(Settings, {
      baseUrl: "https://api.coverage.example",
      supportUrl: "https://coverage.example/support",
      secretKeys
    })
  )

/** A pair of its own over whatever store of keys is given. */
export const signingLayer = Signing.layer.pipe(Layer.provide(signingSettings("a secret of the tests")))

/** All that certifying takes, in the process. */
export const memoryCertifying = Layer.mergeAll(
  memoryLibrary,
  MemoryReleases.layer,
  Layer.provideMerge(signingLayer, MemorySigningKeys.layer),
  NodeCrypto.layer
)

/** Imports the documents as one complete snapshot. */
export const imports = Effect.fnUntraced(function* (
  documents: ReadonlyArray<PolicyDocument>,
  given: Partial<Snapshot> = {}
) {
  const snapshots = yield* Snapshots
  const snapshot = snapshotOf(given)
  for (const document of documents)
    yield* snapshots.saveHistory({ snapshot, documents: [document], at: importedAt })
  yield* snapshots.complete({ snapshot, at: importedAt })
})

/** Certifies what was imported, and tells nobody how far it is. */
export const certifyLibrary = (input: { readonly sourceAsOf?: IsoDate; readonly expiresAt?: IsoTime } = {}) =>
  certify(
    { origin: "imported", sourceAsOf: input.sourceAsOf ?? null, expiresAt: input.expiresAt ?? null },
    () => Effect.void
  )

/** The release as the command line exports it. */
export const exportText = Effect.fnUntraced(function* ({
  release
}: Effect.Success<ReturnType<typeof certifyLibrary>>) {
  const [key] = yield* (yield* SigningPort).publicKeys
  if (key === undefined) return yield* Effect.die("no key is published")
  const decisions = yield* Stream.runCollect((yield* Releases).decisions(release.releaseId))
  return [headerLine(release, key), ...decisions.map(decisionLine)].map((line) => `${line}\n`).join("")
})
