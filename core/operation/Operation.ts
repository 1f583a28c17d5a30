import type * as Schema from "effect/Schema"
import type { ErrorCode } from "../error/table.ts"
import type { Deprecation } from "./deprecation.ts"
import type { Requirement } from "./scope.ts"

export type Method = "GET" | "POST" | "PATCH" | "DELETE"
/** `live` is /api/v1, `sandbox` /api/sandbox/v1 (§5.2). */
export type Surface = "live" | "sandbox"

/** What the path of a call needs to know of what is called. Paths are relative to the surface. */
export interface CallRow {
  readonly method: Method
  readonly path: `/${string}`
  readonly summary: string
  /** Null: public, no credential is read (§4.1). */
  readonly requirement: Requirement | null
  /** The pack feature it needs besides the scope (§5). */
  readonly feature: "webhooks" | null
  /** Credit cost, which is also what it uses of the limits (§8.1.2). */
  readonly credits: number
  readonly params?: Schema.ConstraintDecoder<unknown>
  readonly query?: Schema.ConstraintDecoder<unknown>
  readonly body?: Schema.ConstraintDecoder<unknown>
  /** Objects that refuse unknown members: the pointer, and the members they know. */
  readonly closed?: { readonly at: string; readonly members: ReadonlyArray<string> }
  /**
   * What step 11 itself may refuse with, and a request to the sandbox that is refused so; null: none is, as
   * for a fault of the service. The codes of the gates are derived (admission/gates.ts).
   */
  readonly refusals: Refusals
  /** A list: takes a cursor, answers `meta.pagination`. */
  readonly paged?: true
  /** Carries a weak ETag and answers If-None-Match (contract §1). */
  readonly etag?: true
  /** Speaks of coverage: `meta.data_as_of` and `meta.disclaimer`. */
  readonly coverage?: true
  /** Looks at Accept and `format`, and answers JSON only (§4.6.3). */
  readonly jsonOnly?: true
  /** The body may be left out, which is as good as an empty object. */
  readonly bodyOptional?: true
  /** A write that changes one row as a rule: it is one statement then, with its charge and kept answer. */
  readonly plain?: true
  /** Public, and limited by the caller's address (contract §3, Sandbox). */
  readonly perAddress?: true
  /** The one surface that has it; absent: both. */
  readonly onlyOn?: Surface
  /** Every answer of it says that it will go (docs/promises.md); absent: it stays. */
  readonly deprecated?: Deprecation
}

/**
 * One row of the catalogue (§4, contract §2): router, decoding, limits, cost, OpenAPI and the typed client
 * derive from it. `{id}` in its path names a member of `params`.
 */
export interface Operation extends CallRow {
  /** A request that the sandbox answers with success: documentation and tests send it. */
  readonly example: ExampleRequest
  /** The shape of `data`. */
  readonly success: Schema.Top
}

/** The path below the surface with its query, and what is sent as JSON; the method is the row's. */
export interface ExampleRequest {
  readonly path: string
  readonly body?: unknown
  /** The stand-in for which later examples take the id that this one is answered with. */
  readonly gives?: keyof typeof standIns
}

export type Refusals = Readonly<Partial<Record<ErrorCode, ExampleRequest | null>>>

export const refusalCodes = (refusals: Refusals): ReadonlyArray<ErrorCode> =>
  Object.keys(refusals) as ReadonlyArray<ErrorCode>

/** What stands in an example for the reader's own ids, and for the release of the fixtures. */
export const standIns = { webhook: "$WEBHOOK", delivery: "$DELIVERY", release: "$RELEASE" } as const

/** Whether the surface has the operation; on the other its path is unknown. */
export const isOn = (surface: Surface, row: Operation): boolean =>
  row.onlyOn === undefined || row.onlyOn === surface

export const surfacePrefix: Readonly<Record<Surface, string>> = {
  live: "/api/v1",
  sandbox: "/api/sandbox/v1"
}

/** The group of an operation: the first step of its path, such as `claims`. */
export const groupOf = (path: string): string => path.split("/")[1] ?? ""
