import { isMedicare, medicare } from "./Payer.ts"
import type { Payer } from "./Payer.ts"

/**
 * The payer of that code or name in any usual writing; a name of traditional Medicare is always it (contract
 * §2). Undefined: nobody we know (RESOURCE_PAYER_NOT_FOUND).
 */
export const payerNamed = (text: string, payers: ReadonlyArray<Payer>): Payer | undefined => {
  const code = isMedicare(text) ? medicare.code : undefined
  const name = folded(text)
  return (
    payers.find((payer) => payer.code === (code ?? text.trim())) ??
    payers.find((payer) => folded(payer.code) === name) ??
    payers.find((payer) => folded(payer.name) === name) ??
    (code === undefined ? undefined : medicare)
  )
}

const folded = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, " ")
