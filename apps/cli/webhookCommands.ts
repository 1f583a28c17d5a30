import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { portField } from "./fields.ts"
import { listen } from "./webhooks.ts"

const flags = {
  port: Flag.String("port").pipe(
    Flag.withDescription("The port to listen on; WEBHOOK_LOOPBACK must name it")
  ),
  secret: Flag.String("secret").pipe(
    Flag.withDescription(
      "The endpoint's secret, whsec_…; other users can read arguments, so rather on standard input or in WEBHOOK_SECRET"
    ),
    Flag.optional
  )
}

const listenCommand = Command.make("listen", flags, ({ port, secret }) =>
  Effect.gen(function* () {
    return yield* listen({ port: yield* portField(port), secret: Option.getOrNull(secret) })
  })
).pipe(
  Command.withDescription("Receive webhooks on 127.0.0.1: verify each, print it, and answer 204 or 401"),
  Command.withExamples([{ command: 'echo "$secret" | cli webhooks listen --port 4000' }])
)

/** `webhooks …` (contract §4). */
export const webhooks = Command.make("webhooks").pipe(
  Command.withDescription("Try webhooks out"),
  Command.withSubcommands([listenCommand])
)
