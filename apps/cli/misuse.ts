import type * as CliError from "effect/cli/CliError"
import type * as Command from "effect/cli/Command"
import type { CommandCode } from "./CommandRefused.ts"

/** An error as the command line reports it (contract §4). */
export interface Report {
  readonly code: CommandCode
  readonly message: string
}

/**
 * What was wrong with the words of a command. Written anew rather than taken from the parser, whose
 * sentences repeat what was typed, and that may be a key put where it does not belong.
 */
export const misuse = (
  root: Command.Command.Any,
  { commandPath, errors: [error] }: CliError.ShowHelp
): Report => {
  const path = commandPath.join(" ")
  const help = `\`${path} --help\` says more.`
  if (error === undefined) return choice(root, commandPath, `\`${path}\` needs a command after it`)
  switch (error._tag) {
    case "UnknownSubcommand":
      return choice(root, commandPath, "There is no such command")
    case "UnrecognizedOption":
      return { code: "VALIDATION_ERROR", message: `${unknownFlag(error)} \`${path}\`; ${help}` }
    case "MissingOption":
      return { code: "VALIDATION_REQUIRED_FIELD", message: `--${error.option} is missing; ${help}` }
    case "MissingArgument":
      return {
        code: "VALIDATION_REQUIRED_FIELD",
        message: `The argument <${error.argument}> is missing; ${help}`
      }
    case "UnexpectedArgument":
      return {
        code: "VALIDATION_ERROR",
        message: `\`${path}\` takes fewer words: quote one that holds spaces; ${help}`
      }
    case "InvalidValue":
      return invalidValue(error, help)
    case "DuplicateOption":
    case "ValidationError":
    case "UserError":
      return { code: "VALIDATION_ERROR", message: `The command cannot be read; ${help}` }
  }
}

const invalidValue = ({ expected, kind, option, value }: CliError.InvalidValue, help: string): Report => {
  const name = kind === "flag" ? `--${option}` : `<${option}>`
  return value === ""
    ? { code: "VALIDATION_REQUIRED_FIELD", message: `${name} needs a value; ${help}` }
    : { code: "VALIDATION_INVALID_FORMAT", message: `${name} takes ${expected.replaceAll('"', "")}; ${help}` }
}

/** A flag's name is repeated only where it cannot be anything else. */
const unknownFlag = ({ option, suggestions: [meant] }: CliError.UnrecognizedOption): string => {
  const named = /^--[a-z]{1,12}(-[a-z]{1,12})?$/.test(option)
    ? `${option} is no flag`
    : "One of the flags is none"
  return meant === undefined ? `${named} of` : `${named} (${meant} is) of`
}

const choice = (root: Command.Command.Any, commandPath: ReadonlyArray<string>, says: string): Report => {
  const parent = commandPath
    .slice(1)
    .reduce<Command.Command.Any>(
      (command, name) => children(command).find((child) => child.name === name) ?? command,
      root
    )
  const names = children(parent)
    .map((child) => child.name)
    .join(", ")
  return { code: "COMMAND_UNKNOWN", message: `${says}: it must be one of ${names}.` }
}

const children = (command: Command.Command.Any): ReadonlyArray<Command.Command.Any> =>
  command.subcommands.flatMap((group) => group.commands)
