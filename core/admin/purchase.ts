import * as Effect from "effect/Effect"
import { may } from "../organization/role.ts"
import type { Actor } from "../person/Person.ts"
import { Payments } from "../port/Payments.ts"

/** Where the actor's organization buys credits or changes its pack; only who may choose the pack may. */
export const offers = Effect.fn("managing.offers")(function* (actor: Actor) {
  if (!may(actor.role, "choose_pack")) return { _tag: "Forbidden" } as const
  return yield* (yield* Payments).offers(actor.organizationId)
})
