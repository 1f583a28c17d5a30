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

/** What a shell shows for a program that Ctrl-C ended. */
const interruptedCode = 130

/**
 * Runs one command: its answer goes to stdout, an error to stderr with exit code 1 (contract §4). Ctrl-C
 * gives up what was begun and leaves the database in order.
 */
export const runCommandLine = (args: ReadonlyArray<string>): void => {
  const isJson = args.some((word) => word === "--json" || word === "--json=true")
  // A reader that closes its end, such as `head`, has seen enough.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {})
  Command.runWith(commandLine, { version: "v1", renderErrors: false })(args).pipe(
    Effect.tapCause((cause) =>
      Effect.sync(() => {
        const error = reportOf(cause)
        if (error !== undefined)
          process.stderr.write(`${isJson ? JSON.stringify({ error }) : error.message}\n`)
      })
    ),
    Effect.provide(
      Layer.mergeAll(
        NodeServices.layer,
        CliOutput.layerPresenter(isJson ? jsonHelp : textHelp),
        CliConfig.layer({ builtIns: [GlobalFlag.Help] }),
        Logger.layer([])
      )
    ),
    NodeRuntime.runMain({ disableErrorReporting: true, teardown: exitOnce })
  )
}

/** Ends the process once the answer is written, whatever connection is still saying goodbye. */
const exitOnce = (exit: Exit.Exit<unknown, unknown>): void => {
  const code = Exit.isSuccess(exit) ? 0 : Exit.hasInterrupts(exit) ? interruptedCode : 1
  process.stdout.write("", () => process.exit(code))
}

/** Help only for who asks for it: a misused command is told in its one sentence. */
const textHelp: CliOutput.Presenter = {
  present: (event) =>
    event._tag === "Help" && event.reason === "Requested"
      ? CliOutput.defaultPresenter.present(event)
      : Effect.void
}

const jsonHelp: CliOutput.Presenter = {
  present: (event) =>
    Effect.sync(() => {
      if (event._tag !== "Help" || event.reason !== "Requested") return
      const help = CliOutput.defaultFormatter({ colors: false }).formatHelpDoc(event.helpDoc)
      process.stdout.write(`${JSON.stringify({ help })}\n`)
    })
}
