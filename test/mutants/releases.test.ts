import type * as Layer from "effect/Layer"
import * as MemoryReleases from "../../adapters/memory/Releases.ts"
import * as MemorySigningKeys from "../../adapters/memory/SigningKeys.ts"
import { releasesMutants, signingKeysMutants } from "../kit/mutants/releases.ts"
import { releasesLaws } from "../kit/releasesLaws.ts"
import { signingKeysLaws } from "../kit/signingKeysLaws.ts"
import { lawsTrial } from "./trial.ts"

const planted = <R>(mutants: Readonly<Record<string, Layer.Layer<R>>>) =>
  Object.entries(mutants).map(([says, store]) => ({ says, planted: store }))

lawsTrial({
  of: "releases",
  laws: releasesLaws,
  mutants: planted(releasesMutants),
  sound: MemoryReleases.layer
})
lawsTrial({
  of: "signing keys",
  laws: signingKeysLaws,
  mutants: planted(signingKeysMutants),
  sound: MemorySigningKeys.layer
})
