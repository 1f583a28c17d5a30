import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { operationIds } from "../../core/operation/catalogue.ts"
import type { OperationId } from "../../core/operation/catalogue.ts"
import type { CallError } from "./CallError.ts"
import { makeCallOperation } from "./callOperation.ts"
import type { CallOperation } from "./callOperation.ts"
import { settle } from "./ClientSettings.ts"
import type { ClientSettings } from "./ClientSettings.ts"
import type { Success } from "./readAnswer.ts"
import type {
  Answer,
  Arguments,
  CallOptions,
  Input,
  Item,
  JsonInput,
  PagedId,
  TextAnswer,
  TextId,
  TextInput
} from "./method.ts"
import { nextCursor, startWalk } from "./pages.ts"
import type { PagesOptions } from "./pages.ts"

type Called<Success> = Effect.Effect<Success, CallError>

type EffectMethod<Id extends OperationId> = (Id extends TextId
  ? (input: TextInput<Id>, options?: CallOptions) => Called<TextAnswer>
  : unknown) &
  ((...given: Arguments<Id, CallOptions>) => Called<Answer<Id>>)

/** One method for each operation, and the lists as streams. */
export type EffectClient = { readonly [Id in OperationId]: EffectMethod<Id> } & {
  /** The pages of a list from `input` on, each asked for when it is wanted. */
  readonly pages: <Id extends PagedId>(
    id: Id,
    input: JsonInput<Id>,
    options?: PagesOptions
  ) => Stream.Stream<Answer<Id>, CallError>
  /** The rows of those pages. */
  readonly items: <Id extends PagedId>(
    id: Id,
    input: JsonInput<Id>,
    options?: PagesOptions
  ) => Stream.Stream<Item<Id>, CallError>
}

/**
 * The client whose calls are Effects: they fail with a CallError and wait by Effect's clock. Throws
 * CallFailed SETTINGS_INVALID.
 */
export const makeEffectClient = (settings: ClientSettings): EffectClient => {
  const call = makeCallOperation(settle(settings))
  const methods = operationIds.map((id) => [
    id,
    (input: Input<OperationId> = {}, options: CallOptions = {}) => call(id, input, options)
  ])
  const pages = (id: OperationId, input: Readonly<Record<string, unknown>>, options: PagesOptions = {}) =>
    pagesOf(call, { id, input, options })
  const items = (id: OperationId, input: Readonly<Record<string, unknown>>, options: PagesOptions = {}) =>
    Stream.flatMap(pages(id, input, options), ({ data }) =>
      Stream.fromIterable(Array.isArray(data) ? data : [])
    )
  // What the catalogue says of each operation is known to the types alone.
  return { ...Object.fromEntries(methods), pages, items } as EffectClient
}

interface Wanted {
  readonly id: OperationId
  readonly input: Readonly<Record<string, unknown>>
  readonly options: PagesOptions
}

/** Every run is a walk of its own. */
const pagesOf = (call: CallOperation, { id, input, options }: Wanted): Stream.Stream<Success, CallError> =>
  Stream.unwrap(
    Effect.sync(() => {
      const walk = startWalk(options)
      return Stream.paginate(input, (asked) =>
        Effect.gen(function* () {
          const told = yield* call(id, asked, {})
          const next = nextCursor(walk, told)
          if (Result.isFailure(next)) return yield* next.failure
          const cursor = next.success
          return [[told], cursor === null ? Option.none() : Option.some({ ...input, cursor })] as const
        })
      )
    })
  )
