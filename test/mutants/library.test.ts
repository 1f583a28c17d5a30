import type * as Layer from "effect/Layer"
import { codesLaws } from "../kit/codesLaws.ts"
import { codesMutants, policiesMutants, snapshotsMutants } from "../kit/mutants/library.ts"
import { memoryLibrary } from "../kit/oracle.ts"
import { policiesLaws } from "../kit/policiesLaws.ts"
import { snapshotsLaws } from "../kit/snapshotsLaws.ts"
import { lawsTrial } from "./trial.ts"

const planted = <R>(mutants: Readonly<Record<string, Layer.Layer<R>>>) =>
  Object.entries(mutants).map(([says, store]) => ({ says, planted: store }))

lawsTrial({ of: "policies", laws: policiesLaws, mutants: planted(policiesMutants), sound: memoryLibrary })
lawsTrial({ of: "codes", laws: codesLaws, mutants: planted(codesMutants), sound: memoryLibrary })
lawsTrial({ of: "snapshots", laws: snapshotsLaws, mutants: planted(snapshotsMutants), sound: memoryLibrary })
