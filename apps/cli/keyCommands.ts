import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import type { ApiKey } from "../../core/key/Key.ts"
import { isLegacyKey } from "../../core/key/Key.ts"
import type { NewKey } from "../../core/key/NewKey.ts"
import type { KeyAction, KeyId } from "../../core/key/state.ts"
import { scopes as scopeNames } from "../../core/operation/scope.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { printAnswer } from "./Answer.ts"
import type { CommandRefused } from "./CommandRefused.ts"
import { refuse } from "./CommandRefused.ts"
import { cidrsField, expiryField, optionalField, originsField, scopesField, textField } from "./fields.ts"
import * as operations from "./keys.ts"
import { overStores } from "./overStores.ts"
import { organizationArgument, organizationFlag, reasonFlag } from "./parameters.ts"
import { keyLengthMax, stdinText } from "./stdinText.ts"

const requiredFlags = {
  org: organizationFlag,
  name: Flag.String("name").pipe(Flag.withDescription("What the key is for, 1 to 200 characters")),
  scopes: Flag.String("scopes").pipe(
    Flag.withDescription(`Some of ${scopeNames.join(", ")}, separated by commas`)
  )
}

const createFlags = {
  ...requiredFlags,
  expires: Flag.String("expires").pipe(
    Flag.withDescription("An ISO 8601 time to come; never unless said"),
    Flag.optional
  ),
  cidrs: Flag.String("cidrs").pipe(
    Flag.withDescription("The networks it may be used from, separated by commas; any unless said"),
    Flag.optional
  ),
  origins: Flag.String("origins").pipe(
    Flag.withDescription("The origins of pages that may use it, separated by commas; any unless said"),
    Flag.optional
  ),
  release: Flag.String("release").pipe(Flag.withDescription("The certified release it is for"), Flag.optional)
}

const create = Command.make("create", createFlags, (flags) =>
  printAnswer(
    Effect.gen(function* () {
      const newKey: NewKey = {
        ...(yield* newKeyOf(flags)),
        expiresAt: yield* optionalField(flags.expires, expiryField),
        allowedCidrs: (yield* optionalField(flags.cidrs, cidrsField)) ?? [],
        allowedOrigins: (yield* optionalField(flags.origins, originsField)) ?? [],
        releaseId: yield* optionalField(flags.release, (text) => textField("--release", text))
      }
      return yield* overStores(operations.create(newKey))
    })
  )
).pipe(Command.withDescription("Make a live key; it is shown this once"))

const adopt = Command.make("adopt", requiredFlags, (flags) =>
  printAnswer(
    Effect.gen(function* () {
      const newKey = yield* newKeyOf(flags)
      const key = yield* readLegacyKey
      return yield* overStores(operations.adopt(newKey, key))
    })
  )
).pipe(Command.withDescription("Adopt a legacy key (vrt_…), given on standard input"))

const keyArgument = Argument.String("key-id").pipe(
  Argument.map((text) => text as KeyId),
  Argument.withDescription("The key's id, key_…, never the key itself")
)

const change = (action: KeyAction, describes: string) =>
  Command.make(action, { keyId: keyArgument, reason: reasonFlag }, ({ keyId, ...flags }) =>
    printAnswer(
      Effect.gen(function* () {
        const reason = yield* optionalField(flags.reason, (text) => textField("--reason", text))
        return yield* overStores(operations.change({ keyId, action, reason }))
      })
    )
  ).pipe(Command.withDescription(describes))

const list = Command.make("list", { organization: organizationArgument }, ({ organization }) =>
  printAnswer(overStores(operations.list(organization)))
).pipe(Command.withDescription("List an organization's keys: what is known of them, never the keys"))

/** `keys …` (contract §1, Keys). */
export const keys = Command.make("keys").pipe(
  Command.withDescription("Make, adopt, list and change API keys"),
  Command.withSubcommands([
    create,
    adopt,
    change("suspend", "Suspend a key within a second; `unsuspend` lifts it"),
    change("unsuspend", "Lift a key's suspension"),
    change("revoke", "Revoke a key within a second, for ever"),
    list
  ])
)

const newKeyOf = Effect.fnUntraced(function* (flags: {
  readonly org: OrganizationId
  readonly name: string
  readonly scopes: string
}) {
  const newKey: NewKey = {
    organizationId: flags.org,
    name: yield* textField("--name", flags.name),
    scopes: yield* scopesField(flags.scopes),
    expiresAt: null,
    allowedCidrs: [],
    allowedOrigins: [],
    releaseId: null
  }
  return newKey
})

/**
 * The legacy key on stdin (contract §4, `keys adopt`): never an argument, which other users of the machine
 * can read.
 */
export const readLegacyKey: Effect.Effect<ApiKey, CommandRefused> = Effect.flatMap(
  stdinText("Paste the legacy key and press Enter: "),
  (text) => {
    const key = text.trim()
    if (key === "")
      return refuse("VALIDATION_REQUIRED_FIELD", "The legacy key must be given on standard input.")
    if (!isLegacyKey(key))
      return refuse("VALIDATION_INVALID_FORMAT", "A legacy key begins with vrt_ and goes on.")
    if (key.length > keyLengthMax || /\s/.test(key))
      return refuse("VALIDATION_INVALID_FORMAT", "Standard input must hold one key and nothing else.")
    return /^[\x21-\x7e]+$/.test(key)
      ? Effect.succeed(key)
      : refuse("VALIDATION_INVALID_FORMAT", "A legacy key is printable ASCII, as a header carries it.")
  }
)
