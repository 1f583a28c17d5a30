import { promises } from "node:dns"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Addresses } from "../../core/port/Addresses.ts"
import type { Resolution } from "../../core/port/Addresses.ts"

/**
 * Each question is asked twice at most, of each server of the machine's configuration: a name is judged
 * within the ten seconds of a call.
 */
const lookupLimits = { timeout: 1_500, tries: 2 } as const
const resolutionMs = 8_000

/**
 * The public name system by questions of our own (c-ares), not by the machine's `getaddrinfo`: that one
 * reads the hosts file and search lists, cannot be given up, and blocks one of four threads for each name
 * that hangs.
 */
export const layer: Layer.Layer<Addresses> = Layer.sync(Addresses, () => lookUp())

/** The same, by servers of one's own choice: `address:port`. */
export const layerOf = (servers: ReadonlyArray<string>): Layer.Layer<Addresses> =>
  Layer.sync(Addresses, () => lookUp(servers))

const lookUp = (servers?: ReadonlyArray<string>): Addresses["Service"] => ({
  resolve: (name) =>
    Effect.acquireUseRelease(
      Effect.sync(() => resolverOf(servers)),
      (resolver) =>
        Effect.map(
          Effect.all([asked(() => resolver.resolve4(name)), asked(() => resolver.resolve6(name))], {
            concurrency: 2
          }),
          together
        ),
      (resolver) => Effect.sync(() => resolver.cancel())
    ).pipe(
      Effect.timeoutOrElse({
        duration: resolutionMs,
        orElse: () => Effect.succeed<Resolution>({ _tag: "ResolverDown" })
      })
    )
})

const resolverOf = (servers: ReadonlyArray<string> | undefined): promises.Resolver => {
  const resolver = new promises.Resolver(lookupLimits)
  if (servers !== undefined) resolver.setServers(servers)
  return resolver
}

/** The answers of one family; a family that cannot be asked is down only if the other has none either. */
type Answers = ReadonlyArray<string> | "down"

const asked = (question: () => Promise<Array<string>>): Effect.Effect<Answers> =>
  Effect.tryPromise({ try: question, catch: codeOf }).pipe(
    Effect.catch((code) => Effect.succeed<Answers>(absences.has(code) ? [] : "down"))
  )

/** What the name system says of a name that has no such address, or cannot be one. */
const absences: ReadonlySet<string> = new Set(["ENOTFOUND", "ENODATA", "EBADNAME"])

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : "unknown"

const together = ([four, six]: readonly [Answers, Answers]): Resolution => {
  const addresses = [four, six].flatMap((answers) => (answers === "down" ? [] : answers))
  if (addresses.length > 0) return { _tag: "Resolved", addresses }
  return { _tag: four === "down" || six === "down" ? "ResolverDown" : "Unresolved" }
}
