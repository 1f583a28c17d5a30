import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as CliConfig from "effect/cli/CliConfig"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { version } from "../version.ts"
import { commandLine } from "./commands.ts"
import { reportOf } from "./report.ts"
import { Terminal } from "./Terminal.ts"

/** What a shell shows for a program that Ctrl-C ended. */
const interruptedCode = 130

/**
 * One command: its answer goes to stdout, an error to stderr (contract §4). It fails with what went wrong,
 * once that was told.
 */
export const command = (args: ReadonlyArray<string>) =>
  Effect.flatMap(Terminal, ({ stderr }) => {
    const isJson = args.some((word) => word === "--json" || word === "--json=true")
    return Command.runWith(commandLine, { version, renderErrors: false })(args).pipe(
      Effect.tapCause((cause) =>
        Effect.sync(() => {
          const error = reportOf(cause)
          if (error !== undefined) stderr.write(`${isJson ? JSON.stringify({ error }) : error.message}\n`)
        })
      ),
      Effect.provide(
        Layer.mergeAll(
          NodeServices.layer,
          CliOutput.layerPresenter(isJson ? jsonHelp : textHelp),
          CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] }),
          Logger.layer([])
        )
      )
    )
  })

/** The code that a process ends with: 0, 1 for an error, and a shell's own for Ctrl-C. */
export const codeOf = (exit: Exit.Exit<unknown, unknown>): number =>
  Exit.isSuccess(exit) ? 0 : Exit.hasInterrupts(exit) ? interruptedCode : 1

/** Runs a command as this process. Ctrl-C gives up what was begun and leaves the database in order. */
export const runCommandLine = (args: ReadonlyArray<string>): void => {
  // A reader that closes its end, such as `head`, has seen enough.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {})
  NodeRuntime.runMain(command(args), { disableErrorReporting: true, teardown: exitOnce })
}

/** Ends the process once the answer is written, whatever connection is still saying goodbye. */
const exitOnce = (exit: Exit.Exit<unknown, unknown>): void =>
  void process.stdout.write("", () => process.exit(codeOf(exit)))

type Shown = CliOutput.Presenter.Help | CliOutput.Presenter.Version

const shown =
  (textOf: (event: Shown, hasColors: boolean) => string): CliOutput.Presenter["present"] =>
  (event) =>
    event._tag === "Version" || (event._tag === "Help" && event.reason === "Requested")
      ? Effect.map(Terminal, ({ stdout }) => void stdout.write(`${textOf(event, stdout.isTTY === true)}\n`))
      : Effect.void

const helpOf = ({ helpDoc }: CliOutput.Presenter.Help, colors: boolean): string =>
  CliOutput.defaultFormatter({ colors }).formatHelpDoc(helpDoc)

/** Help only for who asks for it: a misused command is told in its one sentence. */
const textHelp: CliOutput.Presenter = {
  present: shown((event, colors) => (event._tag === "Version" ? event.version : helpOf(event, colors)))
}

const jsonHelp: CliOutput.Presenter = {
  present: shown((event) =>
    JSON.stringify(event._tag === "Version" ? { version: event.version } : { help: helpOf(event, false) })
  )
}
