import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import type { KeyId } from "../../core/key/state.ts"
import { releaseDays } from "../../core/release/Release.ts"
import { printAnswer } from "./Answer.ts"
import { overStores } from "./overStores.ts"
import { dayField, expiryField, optionalField, textField } from "./fields.ts"
import { reasonFlag } from "./parameters.ts"
import { exportTo } from "./exportRelease.ts"
import * as operations from "./releases.ts"
import { verify } from "./verifyRelease.ts"

const release = Argument.String("release").pipe(Argument.withDescription("The release's id, rel_…"))

const certifyFlags = {
  asOf: Flag.String("source-as-of").pipe(
    Flag.withDescription("The day whose policies in force are certified; the newest imported unless said"),
    Flag.optional
  ),
  expires: Flag.String("expires").pipe(
    Flag.withDescription(`An ISO 8601 time to come; ${releaseDays} days from now unless said`),
    Flag.optional
  )
}

const certify = Command.make("certify", certifyFlags, ({ asOf, expires }) =>
  printAnswer(
    Effect.gen(function* () {
      const sourceAsOf = yield* optionalField(asOf, (text) => dayField("--source-as-of", text))
      const expiresAt = yield* optionalField(expires, expiryField)
      return yield* operations.certify({ sourceAsOf, expiresAt })
    })
  )
).pipe(Command.withDescription("Certify the decisions of all that was imported; equal input is one release"))

const list = Command.make("list", {}, () => printAnswer(overStores(operations.list))).pipe(
  Command.withDescription("List the releases, the newest first")
)

const show = Command.make("show", { release }, (named) =>
  printAnswer(overStores(operations.show(named.release)))
).pipe(Command.withDescription("Show a release and what became of it"))

const ending = (name: "expire" | "revoke", describes: string) =>
  Command.make(name, { release, reason: reasonFlag }, (named) =>
    printAnswer(
      Effect.gen(function* () {
        const reason = yield* optionalField(named.reason, (text) => textField("--reason", text))
        const kind = name === "expire" ? "expired" : "revoked"
        return yield* overStores(operations.end(named.release, { kind, reason }))
      })
    )
  ).pipe(Command.withDescription(describes))

const keyFlag = Flag.String("key").pipe(
  Flag.map((text) => text as KeyId),
  Flag.withDescription("The key's id, key_…, never the key itself")
)

const assign = Command.make("assign", { release, key: keyFlag }, (named) =>
  printAnswer(overStores(operations.assign(named.release, named.key)))
).pipe(Command.withDescription("Make a release the one that a key reads, within a second"))

const outFlag = Flag.String("out").pipe(
  Flag.withDescription("The file to write; standard output unless said"),
  Flag.optional
)

const exported = Command.make("export", { release, out: outFlag }, (named) =>
  exportTo(named.release, Option.getOrNull(named.out))
).pipe(
  Command.withDescription("Write a release as lines of JSON: its manifest and signature, then its records"),
  Command.withExamples([{ command: "release export rel_… > release.ndjson" }])
)

const fileArgument = Argument.String("file").pipe(Argument.withDescription("An exported release"))

const jwksFlag = Flag.String("jwks").pipe(
  Flag.withDescription("A file with the public keys to trust, as /.well-known/jwks.json gives them"),
  Flag.optional
)

const verified = Command.make("verify", { file: fileArgument, jwks: jwksFlag }, (named) =>
  printAnswer(verify({ file: named.file, jwks: Option.getOrNull(named.jwks) }))
).pipe(
  Command.withDescription("Verify an exported release without any server, and name its first broken line")
)

/** `release …` (contract §4). */
export const releases = Command.make("release").pipe(
  Command.withDescription("Certify decisions, give keys access to them, and verify what was exported"),
  Command.withSubcommands([
    certify,
    list,
    show,
    assign,
    ending("expire", "Let a release expire now, for ever"),
    ending("revoke", "Revoke a release, for ever"),
    exported,
    verified
  ])
)
