import type { Catalogue, OperationId } from "../../core/operation/catalogue.ts"

/**
 * The types of the client, all derived from the catalogue: an operation's path, query and body are one flat
 * input (a test sees that their names never meet), and what it answers is what its row says.
 */

/** What may be given for a member: as the schema reads it, or as it is written on the wire. */
type Given<Row, Part extends string> = Row extends {
  readonly [name in Part]: { readonly Type: infer Type; readonly Encoded: infer Encoded }
}
  ? { readonly [Name in keyof Type]: Loosely<Type[Name] | Encoded[Name & keyof Encoded]> }
  : unknown

/** `true` for the text "true" of a query. */
type Loosely<Value> = "true" extends Value ? (string extends Value ? Value : Value | boolean) : Value

type Flat<Parts> = { readonly [Name in keyof Parts]: Parts[Name] }

export type Input<Id extends OperationId> = Flat<
  Given<Catalogue[Id], "params"> & Given<Catalogue[Id], "query"> & Given<Catalogue[Id], "body">
>

/** The `data` of a success, as JSON carries it. */
export type Data<Id extends OperationId> = Catalogue[Id]["success"]["Encoded"]

export interface Pagination {
  readonly cursor: string | null
  readonly has_more: boolean
  readonly limit: number
}

/** What an answer says of itself (§2.1); a row's own members beside these are there too. */
export type AnswerMeta<Id extends OperationId> = {
  readonly request_id: string
  readonly timestamp: string
  /** The answer of an earlier request with this X-Idempotency-Key. */
  readonly cached?: true
  readonly idempotency_key?: string
  readonly [name: string]: unknown
} & (Catalogue[Id] extends { readonly paged: true } ? { readonly pagination: Pagination } : unknown) &
  (Catalogue[Id] extends { readonly coverage: true }
    ? { readonly data_as_of: string | null; readonly disclaimer: string }
    : unknown)

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

export type TextInput<Id extends TextId> = Omit<Input<Id>, "format"> & { readonly format: "csv" }
/** The same operation asked for JSON. */
export type JsonInput<Id extends OperationId> = Id extends TextId
  ? Omit<Input<Id>, "format"> & { readonly format?: "json" }
  : Input<Id>
