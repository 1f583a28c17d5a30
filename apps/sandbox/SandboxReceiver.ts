import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MemoryReceiver from "../../adapters/memory/Receiver.ts"
import { Receiver } from "../../core/port/Receiver.ts"
import { SandboxReceiver } from "../../core/port/SandboxReceiver.ts"
import { simulatedReceivers } from "../../core/sandbox/receivers.ts"
import { publicTargets } from "../../core/webhook/target.ts"
import type { TargetPolicy } from "../../core/webhook/target.ts"

/**
 * The receivers of the sandbox: functions of the host's name; nothing leaves the process (contract §3). URLs
 * are judged by the policy of the live receivers, so the sandbox refuses what they would refuse.
 */
export const layerOf = (policy: TargetPolicy) => {
  const { answer, lookUp } = simulatedReceivers(policy)
  return Layer.effect(SandboxReceiver, Receiver).pipe(
    Layer.provide(
      MemoryReceiver.layer({ answer: (request) => Effect.sync(() => answer(request)), lookUp }, policy)
    )
  )
}

export const layer = layerOf(publicTargets)
