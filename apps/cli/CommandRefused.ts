import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ErrorCode } from "../../core/error/table.ts"

/** The codes of the API's own table where one fits, and those that only a command line needs. */
export type CommandCode =
  | ErrorCode
  | "COMMAND_UNKNOWN"
  | "DEMO_IN_PRODUCTION"
  | "CONFIG_INVALID"
  | "IMPORT_MALFORMED"
  | "IMPORT_OLDER"
  | "KEY_TAKEN"
  | "RELEASE_BROKEN"

/** Why a command was not carried out (contract §4): one sentence that repeats nothing of what was typed. */
export class CommandRefused extends Schema.TaggedError<CommandRefused>()("CommandRefused", {
  code: Schema.String,
  message: Schema.String
}) {}

/** Fails with the code and its sentence. */
export const refuse = (code: CommandCode, message: string): Effect.Effect<never, CommandRefused> =>
  Effect.fail(new CommandRefused({ code, message }))
