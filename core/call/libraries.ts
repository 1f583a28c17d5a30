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
import { makeHandlers, makePublicHandlers } from "../handler/handlers.ts"
import { makeLeakedKeyHandler } from "../handler/leakedKey.ts"
import { makeResponder } from "./handler.ts"
import type { Libraries, LibraryHandlers } from "./handler.ts"

/**
 * What both libraries' handlers write to. A test key is an organization of its own, so its rows stand beside
 * the live ones and are seen by nobody else (contract §3).
 */
type Shared = Acknowledgements | Audit | Crypto | Deliveries | Endpoints | Limits | Settings

const makeLibrary = (surface: Surface) =>
  Effect.gen(function* () {
    const handlers = (yield* makeHandlers) as LibraryHandlers["handlers"]
    return { handlers, responder: yield* makeResponder(surface) } satisfies LibraryHandlers
  })

/**
 * The handlers of both. The sandbox's are the live ones over the fixtures and receivers that are
 * simulated, so that there is no second way to answer; a port that the fixtures lack does not compile. It is
 * built once a UTC day, by the first call that needs it and for all others, so that the start waits for
 * nothing. What takes no key reads no library, and is handled with the live ones.
 */
export const makeLibraries = Effect.gen(function* () {
  const keyed = yield* makeLibrary("live")
  const keyless = {
    ...(yield* makePublicHandlers),
    ...(yield* makeLeakedKeyHandler)
  } as LibraryHandlers["handlers"]
  const { build } = yield* SandboxLibrary
  const common = yield* Effect.context<Shared>()
  const receivers = Context.make(Receiver, yield* SandboxReceiver)
  const fresh = Effect.flatMap(build, (fixtures) =>
    Effect.provideContext(makeLibrary("sandbox"), Context.mergeAll(common, fixtures, receivers))
  )
  let built:
    | { readonly day: number; readonly fiber: Fiber.Fiber<LibraryHandlers, SigningKeysUnavailable> }
    | undefined
  const sandbox = Effect.gen(function* () {
    const day = dayOf(yield* Clock.currentTimeMillis)
    // Detached, so that a caller whose time is up takes nobody's along.
    if (built?.day !== day) built = { day, fiber: yield* Effect.forkDetach(Effect.tapCause(fresh, forget)) }
    return yield* Fiber.join(built.fiber)
  })
  /** What could not be built is tried again by the next call. */
  const forget = () =>
    Effect.sync(() => {
      built = undefined
    })
  return {
    live: { ...keyed, handlers: { ...keyed.handlers, ...keyless } },
    sandbox
  } satisfies Libraries
})
