import * as Context from "effect/Context"
import type { Receiver } from "./Receiver.ts"

/** The receivers of the sandbox, which are simulated: nothing is resolved or sent (contract §3). */
export class SandboxReceiver extends Context.Service<SandboxReceiver, Receiver["Service"]>()(
  "coverage/core/port/SandboxReceiver"
) {}
