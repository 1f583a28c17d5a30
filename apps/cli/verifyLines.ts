import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { verifySignature } from "../../adapters/jose/verifySignature.ts"
import type { ExportHeader, PublicKey } from "../../core/release/exported.ts"
import type { ExportFault, HashFunctions, Verification } from "../../core/release/verify.ts"
import { exportFault, readRecord, readHeader } from "../../core/release/verify.ts"
import type { Line } from "./linesOf.ts"

/** A release whose every byte was looked at. */
export interface VerifiedRelease {
  readonly header: ExportHeader
  /** The thumbprint of the key that signed it. */
  readonly keyId: string
  readonly records: number
}

/** Verifies an export from its first line to its end, and stops at what is wrong first. */
export const verifyLines = async (
  lines: AsyncIterable<Line>,
  hashing: HashFunctions,
  trusted: ReadonlyArray<PublicKey> | undefined
): Promise<Result.Result<VerifiedRelease, ExportFault>> => {
  let verification: Verification | undefined
  let keyId = ""
  for await (const line of lines) {
    const at = (verification?.lines ?? 0) + 1
    if (line._tag !== "Line") return Result.fail({ line: at, says: unreadable[line._tag] })
    const next =
      verification === undefined
        ? readHeader(hashing, line.text)
        : readRecord(hashing, verification, line.text)
    if (Result.isFailure(next)) return Result.fail(next.failure)
    if (verification === undefined) {
      const verdict = await Effect.runPromise(verifySignature(next.success.header, trusted))
      if (verdict._tag !== "Valid") return Result.fail({ line: at, says: signatures[verdict._tag] })
      keyId = verdict.keyId
    }
    verification = next.success
  }
  if (verification === undefined) return Result.fail({ line: 1, says: "the file is empty" })
  const broken = exportFault(hashing, verification)
  return broken === undefined
    ? Result.succeed({ header: verification.header, keyId, records: verification.tree.size })
    : Result.fail(broken)
}

const unreadable: Readonly<Record<Exclude<Line["_tag"], "Line">, string>> = {
  NotText: "it is not UTF-8",
  TooLong: "it is longer than any line of a release",
  Unended: "the file ends within it"
}

const signatures = {
  Invalid: "the signature is not that of the key it comes with, over this manifest and these times",
  OtherKey: "it was signed by a key that is none of those trusted"
} as const
