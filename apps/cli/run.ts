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
    return Command.runWith(commandLine, { version: "v1", renderErrors: false })(args).pipe(
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
          CliConfig.layer({ builtIns: [GlobalFlag.Help] }),
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

const help =
  (textOf: (event: CliOutput.Presenter.Help, hasColors: boolean) => string): CliOutput.Presenter["present"] =>
  (event) =>
    event._tag === "Help" && event.reason === "Requested"
      ? Effect.map(Terminal, ({ stdout }) => void stdout.write(`${textOf(event, stdout.isTTY === true)}\n`))
      : Effect.void

/** Help only for who asks for it: a misused command is told in its one sentence. */
const textHelp: CliOutput.Presenter = {
  present: help((event, colors) => CliOutput.defaultFormatter({ colors }).formatHelpDoc(event.helpDoc))
}

const jsonHelp: CliOutput.Presenter = {
  present: help((event) =>
    JSON.stringify({ help: CliOutput.defaultFormatter({ colors: false }).formatHelpDoc(event.helpDoc) })
  )
}
