import type * as Layer from "effect/Layer"
import { changesLaws } from "../kit/changesLaws.ts"
import { claimEditsLaws } from "../kit/claimEditsLaws.ts"
import { codesLaws } from "../kit/codesLaws.ts"
import { codesMutants, policiesMutants, snapshotsMutants, keptMutants } from "../kit/mutants/library.ts"
import {
  changesMutants,
  claimEditsMutants,
  foundMutants,
  priorAuthListsMutants,
  ncdCodesMutants,
  payersMutants
} from "../kit/mutants/libraryDecisions.ts"
import { ncdCodesLaws } from "../kit/ncdCodesLaws.ts"
import { memoryLibrary } from "../kit/oracle.ts"
import { payersLaws } from "../kit/payersLaws.ts"
import { policiesLaws } from "../kit/policiesLaws.ts"
import { priorAuthListsLaws } from "../kit/priorAuthListsLaws.ts"
import { snapshotsLaws } from "../kit/snapshotsLaws.ts"
import { lawsTrial } from "./trial.ts"

const planted = <R>(mutants: Readonly<Record<string, Layer.Layer<R>>>) =>
  Object.entries(mutants).map(([says, store]) => ({ says, planted: store }))

lawsTrial({
  of: "policies",
  laws: policiesLaws,
  mutants: planted({ ...policiesMutants, ...foundMutants }),
  sound: memoryLibrary
})
lawsTrial({ of: "codes", laws: codesLaws, mutants: planted(codesMutants), sound: memoryLibrary })
lawsTrial({
  of: "snapshots",
  laws: snapshotsLaws,
  mutants: planted({ ...snapshotsMutants, ...keptMutants }),
  sound: memoryLibrary
})
lawsTrial({ of: "payers", laws: payersLaws, mutants: planted(payersMutants), sound: memoryLibrary })
lawsTrial({ of: "changes", laws: changesLaws, mutants: planted(changesMutants), sound: memoryLibrary })
lawsTrial({
  of: "prior authorization lists",
  laws: priorAuthListsLaws,
  mutants: planted(priorAuthListsMutants),
  sound: memoryLibrary
})
lawsTrial({
  of: "claim edits",
  laws: claimEditsLaws,
  mutants: planted(claimEditsMutants),
  sound: memoryLibrary
})
lawsTrial({
  of: "NCD codes",
  laws: ncdCodesLaws,
  mutants: planted(ncdCodesMutants),
  sound: memoryLibrary
})
