import * as Effect from "effect/Effect"
import type { Payer } from "../coverage/Payer.ts"
import { payerNamed } from "../coverage/payerNamed.ts"
import { refused } from "../error/Refusal.ts"
import type { PayerView } from "../operation/payers.ts"
import { Payers } from "../port/Payers.ts"
import type { Handler } from "./Handler.ts"

/** GET /payers and /payers/{code} (contract §2); a payer is found by its code or its name. */
export const makePayerHandlers = Effect.gen(function* () {
  const payers = yield* Payers

  const listPayers: Handler<"listPayers"> = () =>
    Effect.map(payers.list, (all) => ({ _tag: "Data", data: all.map(payerView) }))

  const getPayer: Handler<"getPayer"> = ({ params }) =>
    Effect.map(payers.list, (all) => {
      const found = payerNamed(params.code, all)
      return found === undefined
        ? refused("RESOURCE_PAYER_NOT_FOUND")
        : { _tag: "Data", data: payerView(found) }
    })

  return { listPayers, getPayer } as const
})

const payerView = (payer: Payer): PayerView => ({
  code: payer.code,
  name: payer.name,
  type: payer.type,
  lines_of_business: payer.linesOfBusiness
})
