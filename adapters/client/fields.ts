import type { OperationId } from "../../core/operation/catalogue.ts"
import type { DerivedData, DerivedInput, DerivedMetas } from "./derived.ts"

/**
 * The request and the response of each operation. The published package replaces the declarations of this
 * file: there every member has its description as a doc comment (apps/pack/describedTypes.ts).
 */
export type Input<Id extends OperationId> = DerivedInput<Id>

/** The `data` of a success, as JSON carries it. */
export type Data<Id extends OperationId> = DerivedData<Id>

/** The members of `meta`: of every response, of a replay, of a list, and of a coverage answer. */
export type Metas = DerivedMetas
