import type { Data, Input } from "coverage-policy/adapters/client/fields"
import type { DerivedData, DerivedInput } from "coverage-policy/adapters/client/derived"
import type { OperationId } from "coverage-policy/core/operation/catalogue"

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

/** The operations whose described types accept other values than the derived ones. */
type Differing = {
  [Id in OperationId]:
    | (Same<Data<Id>, DerivedData<Id>> extends true ? never : `data of ${Id}`)
    | (Same<Input<Id>, DerivedInput<Id>> extends true ? never : `input of ${Id}`)
}[OperationId]

export const none = (differing: Differing): never => differing
