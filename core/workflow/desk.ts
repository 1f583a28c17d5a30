import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { dayOf } from "../limit/quota.ts"
import type { Surface } from "../operation/Operation.ts"
import type { Acknowledgements } from "../port/Acknowledgements.ts"
import type { Audit } from "../port/Audit.ts"
import type { Crypto } from "../port/Crypto.ts"
import type { Deliveries } from "../port/Deliveries.ts"
import type { Endpoints } from "../port/Endpoints.ts"
import type { Limits } from "../port/Limits.ts"
import { Receiver } from "../port/Receiver.ts"
import { SandboxLibrary } from "../port/SandboxLibrary.ts"
import { SandboxReceiver } from "../port/SandboxReceiver.ts"
import type { SigningKeysUnavailable } from "../port/SigningKeys.ts"
import type { Settings } from "../port/Settings.ts"
import { makeHandlers } from "./handlers.ts"
import { makeRun } from "./run.ts"

/** What a surface answers its calls with: the handlers over its library, and the answers it remembers. */
export type Desk = Effect.Success<ReturnType<typeof makeDesk>>

/** The desk of each surface; the sandbox's is there when a call asks for it. */
export interface Desks {
  readonly live: Desk
  readonly sandbox: Effect.Effect<Desk, SigningKeysUnavailable>
}

/**
 * What both surfaces write to. A test key is an organization of its own, so its rows stand beside the live
 * ones and are seen by nobody else (contract §3).
 */
type Shared = Acknowledgements | Audit | Crypto | Deliveries | Endpoints | Limits | Settings

const makeDesk = (surface: Surface) =>
  Effect.gen(function* () {
    return { run: yield* makeRun(surface), handlers: yield* makeHandlers } as const
  })

/**
 * The desks of both surfaces. The sandbox's handlers are the live ones over the fixtures and receivers that
 * are simulated, so that there is no second way to answer; a port that the fixtures lack does not compile. It
 * is built once a UTC day, by the first call that needs it and for all others, so that the start waits for
 * nothing.
 */
export const makeDesks = Effect.gen(function* () {
  const live = yield* makeDesk("live")
  const { build } = yield* SandboxLibrary
  const common = yield* Effect.context<Shared>()
  const receivers = Context.make(Receiver, yield* SandboxReceiver)
  const fresh = Effect.flatMap(build, (fixtures) =>
    Effect.provideContext(makeDesk("sandbox"), Context.mergeAll(common, fixtures, receivers))
  )
  let held: { readonly day: number; readonly desk: Fiber.Fiber<Desk, SigningKeysUnavailable> } | undefined
  const sandbox = Effect.gen(function* () {
    const day = dayOf(yield* Clock.currentTimeMillis)
    // Detached, so that a caller whose time is up takes nobody's desk along.
    if (held?.day !== day) held = { day, desk: yield* Effect.forkDetach(Effect.tapCause(fresh, forget)) }
    return yield* Fiber.join(held.desk)
  })
  /** What could not be built is tried again by the next call. */
  const forget = () =>
    Effect.sync(() => {
      held = undefined
    })
  return { live, sandbox } satisfies Desks
})
