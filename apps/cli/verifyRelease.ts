import { createReadStream } from "node:fs"
import { readFile } from "node:fs/promises"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as NodeCrypto from "../../adapters/node/Crypto.ts"
import { Crypto } from "../../core/port/Crypto.ts"
import { PublicKey } from "../../core/release/exported.ts"
import type { ExportFault, HashFunctions } from "../../core/release/verify.ts"
import type { Answer } from "./Answer.ts"
import { refuse } from "./CommandRefused.ts"
import { linesOf } from "./linesOf.ts"
import { withThousands } from "./table.ts"
import { verifyLines } from "./verifyLines.ts"

/** `release verify`: everything that a file can say of itself, and with `--jwks` whose signature it bears. */
export const verify = (asked: { readonly file: string; readonly jwks: string | null }) =>
  Effect.gen(function* () {
    const { sha256, sha256Hex } = yield* Crypto
    const trusted = asked.jwks === null ? undefined : yield* trustedKeys(asked.jwks)
    const hashing: HashFunctions = { text: sha256Hex, bytes: sha256 }
    const read = yield* Effect.tryPromise({
      try: () => verifyLines(linesOf(createReadStream(asked.file)), hashing, trusted),
      catch: () => "unreadable" as const
    }).pipe(Effect.catch(() => refuse("RESOURCE_NOT_FOUND", "The file to verify cannot be read.")))
    if (Result.isFailure(read)) return yield* refuse("RELEASE_BROKEN", sentenceOf(read.failure))
    const { header, keyId, records } = read.success
    const isTrusted = trusted !== undefined
    return {
      json: {
        release_id: header.release_id,
        decisions: records,
        certified_at: header.certified_at,
        expires_at: header.expires_at,
        origin: header.manifest.origin,
        key_id: keyId,
        signature: isTrusted ? "trusted_key" : "key_in_file"
      },
      text: [
        `${header.release_id} is whole: ${withThousands(records)} records, certified ${header.certified_at}.`,
        isTrusted
          ? `It was signed by the key ${keyId}, which is one of those you trust.`
          : `It was signed by the key in the file, ${keyId}: --jwks says whether that key is the service's.`
      ]
    } satisfies Answer
  }).pipe(Effect.provide(NodeCrypto.layer))

const Keys = Schema.fromJsonString(Schema.Struct({ keys: Schema.Array(Schema.Unknown) }))
const decodeKeys = Schema.decodeUnknownResult(Keys)
const isPublicKey = Schema.is(PublicKey)

/** The keys of Ed25519 in a JWK set; others may stand beside them. */
const trustedKeys = Effect.fnUntraced(function* (file: string) {
  const text = yield* Effect.tryPromise(() => readFile(file, "utf8")).pipe(
    Effect.catch(() => refuse("RESOURCE_NOT_FOUND", "--jwks names a file that cannot be read."))
  )
  const read = decodeKeys(text)
  return Result.isSuccess(read)
    ? read.success.keys.filter(isPublicKey)
    : yield* refuse("VALIDATION_INVALID_FORMAT", '--jwks must hold a JSON Web Key Set: {"keys": […]}.')
})

const sentenceOf = ({ line, says }: ExportFault): string =>
  line === null ? `The release is broken: ${says}.` : `Line ${line} is broken: ${says}.`
