import type { Catalogue, OperationId } from "../../core/operation/catalogue.ts"

/**
 * The types of requests and responses as the catalogue's schemas imply them: an operation's path, query and
 * body are one flat input (a test checks that their names never collide), and its data is what its row
 * declares. They carry no documentation: TypeScript 7 shows no comments on members of mapped types.
 */

/** What may be sent for a member: as the schema reads it, or as it is written on the wire. */
type Given<Row, Part extends string> = Row extends {
  readonly [name in Part]: { readonly Type: infer Type; readonly Encoded: infer Encoded }
}
  ? { readonly [Name in keyof Type]: Loosely<Type[Name] | Encoded[Name & keyof Encoded]> }
  : unknown

/** `true` for the text "true" of a query. */
type Loosely<Value> = "true" extends Value ? (string extends Value ? Value : Value | boolean) : Value

type Flat<Parts> = { readonly [Name in keyof Parts]: Parts[Name] }

export type DerivedInput<Id extends OperationId> = Flat<
  Given<Catalogue[Id], "params"> & Given<Catalogue[Id], "query"> & Given<Catalogue[Id], "body">
>

/** The `data` of a success, as JSON carries it. */
export type DerivedData<Id extends OperationId> = Catalogue[Id]["success"]["Encoded"]

/** The members of `meta`, by the schema of openapi.json that it comes from. */
export interface DerivedMetas {
  readonly Meta: {
    readonly request_id: string
    readonly timestamp: string
    readonly ignored_parameters?: ReadonlyArray<string>
  }
  readonly ReplayMeta: { readonly cached?: true; readonly idempotency_key?: string }
  readonly PagedMeta: { readonly pagination: Pagination }
  readonly CoverageMeta: {
    readonly data_as_of: string | null
    readonly disclaimer: string
    readonly omitted?: ReadonlyArray<string>
    readonly includes_unavailable?: ReadonlyArray<string>
  }
}

interface Pagination {
  readonly cursor: string | null
  readonly has_more: boolean
  readonly limit: number
}
