import * as Effect from "effect/Effect"
import type * as Metric from "effect/Metric"
import { headerBytesMax, urlLengthMax } from "../../core/admission/body.ts"
import type { Answer } from "../../core/call/Call.ts"
import { operationIds, operationRow } from "../../core/operation/catalogue.ts"
import type { OperationId } from "../../core/operation/catalogue.ts"
import { isOn, surfacePrefix } from "../../core/operation/Operation.ts"
import type { Surface } from "../../core/operation/Operation.ts"
import { callsAnswered, callSeconds, creditsSpent } from "../../core/call/meters.ts"
import type { Line } from "./line.ts"

/** Where a path leads: an operation of the catalogue, on one surface. */
export interface Route {
  readonly operation: OperationId
  readonly surface: Surface
}

const surfaces: ReadonlyArray<Surface> = ["live", "sandbox"]

/** Every row of the catalogue on every surface that has it. */
export const routes: ReadonlyArray<Route> = surfaces.flatMap((surface) =>
  operationIds
    .filter((operation) => isOn(surface, operationRow(operation)))
    .map((operation) => ({ operation, surface }))
)

/** A step that a row's path leaves open. */
const openStep = /\{(\w+)\}/g

/** The path of a route as routers take it. */
export const pathOf = ({ operation, surface }: Route): `/${string}` => {
  const path = operationRow(operation).path.replaceAll(openStep, ":$1")
  return `${surfacePrefix[surface]}${path}` as `/${string}`
}

/**
 * The steps of a path that the router found, as an object like any other: its own has no prototype, and V8
 * looks into such a one the slow way, each time it is asked.
 */
export const paramsOf = ({ operation }: Route) => {
  const names = Array.from(operationRow(operation).path.matchAll(openStep), ([, name = ""]) => name)
  return (
    found: Readonly<Record<string, string | undefined>>
  ): Readonly<Record<string, string | undefined>> => {
    const params: Record<string, string | undefined> = {}
    for (const name of names) params[name] = found[name]
    return params
  }
}

/** Paths are taken as they are written: another case or another slash is another path. */
export const routerConfig = {
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  maxParamLength: headerBytesMax
} as const

/** What was found at a path, and what its line says. */
export interface RouteMatch<Handler> {
  readonly handler: Handler
  readonly line: Line
}

interface LastStep<Handler> {
  readonly name: string
  readonly handler: Handler
}

/**
 * Finds routes whose path is written out, or written out but for its last step, at a path that needs no
 * decoding: one look into a table each, where a router decodes, cuts off the query and walks. It says of
 * every other path that it found nothing; whoever asks then asks a router.
 */
export const makePlainPaths = <Handler>() => {
  const written = new Map<string, Handler>()
  const lastOpen = new Map<string, LastStep<Handler>>()
  return {
    /** Takes a path as routers write it (`/codes/:code`); one with an open step elsewhere is left out. */
    add: (path: string, handler: Handler): void => {
      const start = path.lastIndexOf("/") + 1
      const [before, last] = [path.slice(0, start), path.slice(start)]
      if (before.includes(":")) return
      if (last.startsWith(":")) lastOpen.set(before, { name: last.slice(1), handler })
      else written.set(path, handler)
    },
    find: (path: string): RouteMatch<Handler> | undefined => {
      if (!isPlain(path)) return undefined
      const handler = written.get(path)
      if (handler !== undefined) return { handler, line: lineOf({}) }
      const start = path.lastIndexOf("/") + 1
      if (start === path.length) return undefined
      const open = lastOpen.get(path.slice(0, start))
      if (open === undefined) return undefined
      return { handler: open.handler, line: lineOf({ [open.name]: path.slice(start) }) }
    }
  }
}

/** The line of a plain path has no query and no fault. */
const lineOf = (params: Line["params"]): Line => ({
  fault: undefined,
  params,
  query: noQuery,
  queryIsText: true
})

const noQuery: Line["query"] = {}

/** Nothing to decode, and no query: one search for each is faster than one for any of them. */
const isPlain = (path: string): boolean =>
  path.length <= urlLengthMax &&
  !path.includes("?") &&
  !path.includes("%") &&
  !path.includes(";") &&
  !path.includes("#")

/** Counts an answered call of one route, and the milliseconds that it took. */
export type Meter = (answer: Answer, elapsedMs: number) => void

/** A meter for each route; its counters are made once, so that a call adds to them and looks nothing up. */
export const makeMeter = Effect.map(
  Effect.context<never>(),
  (context) =>
    ({ operation, surface }: Route): Meter => {
      const seconds = callSeconds({ operation, surface })
      const credits = creditsSpent({ operation })
      const byStatus = new Map<number, Metric.Counter<number>>()
      const counterOf = (status: number): Metric.Counter<number> => {
        const known = byStatus.get(status)
        if (known !== undefined) return known
        const made = callsAnswered({ operation, surface, status: String(status) })
        byStatus.set(status, made)
        return made
      }
      return ({ status, cost = 0 }, elapsedMs) => {
        counterOf(status).updateUnsafe(1, context)
        seconds.updateUnsafe(elapsedMs / 1_000, context)
        if (cost > 0) credits.updateUnsafe(cost, context)
      }
    }
)
