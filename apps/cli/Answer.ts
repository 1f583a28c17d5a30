import * as Effect from "effect/Effect"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import { Terminal } from "./Terminal.ts"

/** What a command says: the object of the contract's table (§4), and the same for a person to read. */
export interface Answer {
  readonly json: Readonly<Record<string, unknown>>
  readonly text: ReadonlyArray<string>
}

/** `--json`, before or after the command; it never takes the word that follows it for its value. */
export const Json = GlobalFlag.Setting("json")({
  flag: Flag.Boolean("json").pipe(
    Flag.withoutNegation,
    Flag.withOptionalValue("true"),
    Flag.withDescription("Answer with one JSON object on stdout; errors as JSON on stderr"),
    Flag.withDefault(false)
  )
})

/** Carries a command out and prints its answer. */
export const printAnswer = <E, R>(command: Effect.Effect<Answer, E, R>) =>
  Effect.gen(function* () {
    const answer = yield* command
    const isJson = yield* Json
    const lines = isJson ? [JSON.stringify(answer.json)] : answer.text
    const { stdout } = yield* Terminal
    yield* Effect.sync(() => stdout.write(lines.map((line) => `${line}\n`).join("")))
  })
