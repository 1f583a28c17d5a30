import type { Catalogue, OperationId } from "../../core/operation/catalogue.ts"
import type { Data, Input, Metas } from "./fields.ts"

/** The types of the client's methods, all derived from the catalogue. */

export type { Data, Input } from "./fields.ts"

/** The `meta` of a response (§2.1). It can have members of the operation's own beside these. */
export type AnswerMeta<Id extends OperationId> = Metas["Meta"] &
  Metas["ReplayMeta"] & { readonly [name: string]: unknown } & (Catalogue[Id] extends { readonly paged: true }
    ? Metas["PagedMeta"]
    : unknown) &
  (Catalogue[Id] extends { readonly coverage: true } ? Metas["CoverageMeta"] : unknown)

export interface Answer<Id extends OperationId> {
  readonly data: Data<Id>
  readonly meta: AnswerMeta<Id>
}

/**
 * The answer to `format: "csv"`: one page as text, and the cursor of the next where its header can be read.
 */
export interface TextAnswer {
  readonly data: string
  readonly meta: { readonly request_id: string | null; readonly cursor: string | null }
}

/** Of one call. */
export interface CallOptions {
  /** One's own X-Idempotency-Key; on writes the client otherwise draws one for each call. */
  readonly idempotencyKey?: string
}

/** The arguments of a method: an input of which nothing is required may be left out. */
export type Arguments<Id extends OperationId, Options> =
  Record<never, never> extends JsonInput<Id>
    ? [input?: JsonInput<Id>, options?: Options]
    : [input: JsonInput<Id>, options?: Options]

/** The lists, which have pages. */
export type PagedId = {
  [Id in OperationId]: Catalogue[Id] extends { readonly paged: true } ? Id : never
}[OperationId]

export type Item<Id extends PagedId> = Data<Id>[number]

/** What can answer text instead of JSON. */
export type TextId = {
  [Id in OperationId]: Catalogue[Id] extends {
    readonly query: { readonly Type: { readonly format?: infer Format } }
  }
    ? string extends Format
      ? never
      : "csv" extends Format
        ? Id
        : never
    : never
}[OperationId]

export type TextInput<Id extends TextId> = Input<Id> & { readonly format: "csv" }
/** The input of the same operation for JSON. */
export type JsonInput<Id extends OperationId> = Id extends TextId
  ? Input<Id> & { readonly format?: "json" }
  : Input<Id>
