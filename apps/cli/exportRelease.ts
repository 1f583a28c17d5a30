import { once } from "node:events"
import { createWriteStream } from "node:fs"
import type { Writable } from "node:stream"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Releases } from "../../core/port/Releases.ts"
import { SigningKeys } from "../../core/port/SigningKeys.ts"
import { decisionLine, headerLine } from "../../core/release/exported.ts"
import type { Release } from "../../core/release/Release.ts"
import type { Answer } from "./Answer.ts"
import { printAnswer } from "./Answer.ts"
import { CommandRefused } from "./CommandRefused.ts"
import { overStores } from "./overStores.ts"
import { Terminal } from "./Terminal.ts"
import { knownRelease } from "./releases.ts"

/**
 * `release export`: a release whatever became of it, for who verifies it later. On standard output it is the
 * answer itself; into a file it is written with one word about it.
 */
export const exportTo = (text: string, file: string | null) =>
  file === null
    ? overStores(Effect.flatMap(Terminal, ({ stdout }) => Effect.asVoid(written(text, stdout))))
    : printAnswer(
        Effect.gen(function* () {
          const out = yield* opened(file)
          const release = yield* overStores(written(text, out)).pipe(Effect.ensuring(closed(out)))
          const { decision_count: decisions } = release.manifest
          return {
            json: { release_id: release.releaseId, file, decisions },
            text: [`${release.releaseId} was written with its ${decisions} records.`]
          } satisfies Answer
        })
      )

const written = Effect.fnUntraced(function* (text: string, out: NodeJS.WritableStream) {
  const release = yield* knownRelease(text)
  yield* write(out, `${headerLine(release, yield* publicKeyOf(release))}\n`)
  yield* Stream.runForEachArray((yield* Releases).decisions(release.releaseId), (decisions) =>
    write(out, decisions.map((decision) => `${decisionLine(decision)}\n`).join(""))
  )
  return release
})

/** The key that the signature names; it is kept for as long as the release is. */
const publicKeyOf = Effect.fnUntraced(function* ({ signature }: Release) {
  const header: unknown = JSON.parse(Buffer.from(signature.split(".")[0] ?? "", "base64url").toString())
  const keyId = typeof header === "object" && header !== null && "kid" in header ? header.kid : undefined
  const pair = (yield* (yield* SigningKeys).list).find((one) => one.keyId === keyId)
  return pair?.publicKey ?? (yield* Effect.die(new Error("a release names a key that is not kept")))
})

/** Waits until the reader has taken enough; one that is gone, such as `head`, has seen enough. */
const write = (out: NodeJS.WritableStream, text: string) =>
  Effect.promise(async () => {
    if (out.writable && !out.write(text)) await Promise.race([once(out, "drain"), once(out, "close")])
  })

const opened = (file: string) =>
  Effect.callback<Writable, CommandRefused>((resume) => {
    const out = createWriteStream(file)
    out.once("open", () => resume(Effect.succeed(out)))
    out.once("error", () =>
      resume(
        Effect.fail(
          new CommandRefused({ code: "VALIDATION_INVALID_FORMAT", message: "--out cannot be written." })
        )
      )
    )
  })

const closed = (out: NodeJS.WritableStream) =>
  Effect.promise(() => new Promise<void>((resolve) => out.end(resolve)))
