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
import type { AnyHandler, AnyWriteHandler } from "../workflow/Handler.ts"
import { makeHandlers, makePublicHandlers } from "../workflow/handlers.ts"
import { makeLeakedKeyHandler } from "./leakedKey.ts"
import { makeResponder } from "./responder.ts"

/** How one library answers: the handlers over it, by their operations' names, and the answers it keeps. */
export interface Handling {
  readonly handlers: Readonly<Record<string, AnyHandler | AnyWriteHandler>>
  readonly responder: Effect.Success<ReturnType<typeof makeResponder>>
}

/** The handling of each library; the sandbox's is there when a call asks for it. */
export interface Handlings {
  readonly live: Handling
  readonly sandbox: Effect.Effect<Handling, SigningKeysUnavailable>
}

/**
 * What both libraries' handlers write to. A test key is an organization of its own, so its rows stand beside
 * the live ones and are seen by nobody else (contract §3).
 */
type Shared = Acknowledgements | Audit | Crypto | Deliveries | Endpoints | Limits | Settings

const makeHandling = (surface: Surface) =>
  Effect.gen(function* () {
    const handlers = (yield* makeHandlers) as Handling["handlers"]
    return { handlers, responder: yield* makeResponder(surface) } satisfies Handling
  })

/**
 * The handling of both. The sandbox's handlers are the live ones over the fixtures and receivers that are
 * simulated, so that there is no second way to answer; a port that the fixtures lack does not compile. It is
 * built once a UTC day, by the first call that needs it and for all others, so that the start waits for
 * nothing. What takes no key reads no library, and is handled with the live ones.
 */
export const makeHandlings = Effect.gen(function* () {
  const keyed = yield* makeHandling("live")
  const keyless = { ...(yield* makePublicHandlers), ...(yield* makeLeakedKeyHandler) } as Handling["handlers"]
  const { build } = yield* SandboxLibrary
  const common = yield* Effect.context<Shared>()
  const receivers = Context.make(Receiver, yield* SandboxReceiver)
  const fresh = Effect.flatMap(build, (fixtures) =>
    Effect.provideContext(makeHandling("sandbox"), Context.mergeAll(common, fixtures, receivers))
  )
  let held:
    | { readonly day: number; readonly built: Fiber.Fiber<Handling, SigningKeysUnavailable> }
    | undefined
  const sandbox = Effect.gen(function* () {
    const day = dayOf(yield* Clock.currentTimeMillis)
    // Detached, so that a caller whose time is up takes nobody's along.
    if (held?.day !== day) held = { day, built: yield* Effect.forkDetach(Effect.tapCause(fresh, forget)) }
    return yield* Fiber.join(held.built)
  })
  /** What could not be built is tried again by the next call. */
  const forget = () =>
    Effect.sync(() => {
      held = undefined
    })
  return {
    live: { ...keyed, handlers: { ...keyed.handlers, ...keyless } },
    sandbox
  } satisfies Handlings
})
