import type * as Effect from "effect/Effect"
import type { AuditActor } from "../audit/AuditEntry.ts"
import type { IsoDate, IsoTime } from "../coverage/date.ts"
import type { Refusal } from "../error/Refusal.ts"
import type { LimitDecision } from "../limit/policy.ts"
import type { Catalogue, KeyedId, OperationId, PublicId, WriteId } from "../operation/catalogue.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import type { PackName } from "../organization/pack.ts"
import type { StoreFault } from "../error/StoreFault.ts"
import type * as Plan from "./WritePlan.ts"

type TypeOf<Row, Part extends string> = Row extends { readonly [Key in Part]: { readonly Type: infer Type } }
  ? Type
  : object

/** What a row's handler is given: its decoded path, query and body. */
export interface InputOf<Id extends OperationId> {
  readonly params: TypeOf<Catalogue[Id], "params">
  readonly query: TypeOf<Catalogue[Id], "query">
  readonly body: TypeOf<Catalogue[Id], "body">
}

export type DataOf<Id extends OperationId> = TypeOf<Catalogue[Id], "success">

/** Whose call it is; in the sandbox the organization is the test key's own. */
export interface Caller {
  readonly organizationId: OrganizationId
  readonly pack: PackName
  /** The certified release that the key is for. */
  readonly releaseId: string | null
  /** Who is written down for what the call changes; null: nothing of it is logged (the sandbox). */
  readonly auditor: AuditActor | null
}

/** What a handler knows of its call. */
export interface CallContext {
  readonly now: IsoTime
  readonly today: IsoDate
  /** What the previous page said its end was; null on the first page. */
  readonly position: unknown
  readonly requestId: string
  readonly caller: Caller
}

/** What an operation answers at step 11. */
export type Outcome<Data> =
  | Refusal
  | {
      readonly _tag: "Data"
      readonly data: Data
      readonly meta?: Readonly<Record<string, unknown>>
      /** `next`: the position of the last row when more follow. */
      readonly page?: { readonly next: unknown; readonly limit: number }
    }
  /** Another format than JSON (contract §2, `format=csv`). */
  | {
      readonly _tag: "Text"
      readonly contentType: string
      readonly text: string
      readonly page: { readonly next: unknown; readonly limit: number }
    }
  /** A limit of the operation's own: the call is not run, spends nothing and is kept under no key. */
  | { readonly _tag: "Limited"; readonly decision: Extract<LimitDecision, { readonly _tag: "Refused" }> }

/** Any port's `…Unavailable`. */
export interface Unavailable {
  readonly _tag: string
  readonly fault: StoreFault
}

export type Handler<Id extends OperationId> = (
  input: InputOf<Id>,
  context: CallContext
) => Effect.Effect<Outcome<DataOf<Id>>, Unavailable>

/** What a write commits. */
export type Commit<Id extends OperationId> = Plan.Commit<Outcome<DataOf<Id>>, Unavailable>

/** The handler of a write: it says at once which part of it belongs into the transaction. */
export type WriteHandler<Id extends OperationId> = (
  input: InputOf<Id>,
  context: CallContext
) => Plan.WritePlan<Outcome<DataOf<Id>>, Unavailable>

/** One handler per row that takes a key: a missing one does not compile. */
export type Handlers = { readonly [Id in KeyedId]: Id extends WriteId ? WriteHandler<Id> : Handler<Id> }

/** Those of the rows that take none, which every surface shares. */
export type PublicHandlers = { readonly [Id in PublicId]: Handler<Id> }

/** The general type the call runs a handler under; the input was decoded by the row's own schemas. */
export type AnyHandler = (
  input: unknown,
  context: CallContext
) => Effect.Effect<Outcome<unknown>, Unavailable>

export type AnyWriteHandler = (
  input: unknown,
  context: CallContext
) => Plan.WritePlan<Outcome<unknown>, Unavailable>
