import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MemoryReceiver from "../../adapters/memory/Receiver.ts"
import { Receiver } from "../../core/port/Receiver.ts"
import { SandboxReceiver } from "../../core/port/SandboxReceiver.ts"
import { simulatedAnswer, simulatedLookUp } from "../../core/sandbox/receivers.ts"

/** The receivers of the sandbox: functions of the host's name; nothing leaves the process (contract §3). */
export const layer = Layer.effect(SandboxReceiver, Receiver).pipe(
  Layer.provide(
    MemoryReceiver.layer({
      answer: (request) => Effect.sync(() => simulatedAnswer(request)),
      lookUp: simulatedLookUp
    })
  )
)
