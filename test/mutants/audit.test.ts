import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Audit } from "../../core/port/Audit.ts"
import { auditLaws } from "../kit/auditLaws.ts"
import { memoryAudits } from "../kit/audits.ts"
import { auditMutants } from "../kit/mutants/audit.ts"
import { lawsTrial } from "./trial.ts"

const spoiling = (spoil: (right: Audit["Service"]) => Partial<Audit["Service"]>) =>
  Layer.effect(
    Audit,
    Effect.map(Audit, (right) => ({ ...right, ...spoil(right) }))
  ).pipe(Layer.provideMerge(memoryAudits))

lawsTrial({
  of: "audit",
  laws: auditLaws,
  mutants: auditMutants.map(({ says, spoil }) => ({ says, planted: spoiling(spoil) })),
  sound: memoryAudits
})
