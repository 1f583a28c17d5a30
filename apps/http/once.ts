import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"

/**
 * Builds something when it is first asked for, once for all who ask, and keeps it until the scope around this
 * ends. What could not be built is built again for whoever asks next, so that a store that was away for a
 * moment closes no door for good.
 */
export const once = <A, E, R>(build: Effect.Effect<A, E, R | Scope.Scope>) =>
  Effect.gen(function* () {
    const outer = yield* Effect.scope
    const context = yield* Effect.context<Exclude<R, Scope.Scope>>()
    let building: Fiber.Fiber<A, E> | undefined
    const fresh = Effect.gen(function* () {
      const scope = yield* Scope.fork(outer)
      return yield* Effect.onExit(Scope.provide(build, scope), (exit) =>
        Exit.isSuccess(exit) ? Effect.void : Scope.close(scope, exit)
      )
    }).pipe(
      Effect.tapCause(() =>
        Effect.sync(() => {
          building = undefined
        })
      ),
      Effect.provideContext(context)
    ) as Effect.Effect<A, E>
    return Effect.gen(function* () {
      // Detached, so that a caller who leaves takes nobody's along.
      building ??= yield* Effect.forkDetach(fresh)
      return yield* Fiber.join(building)
    })
  })
