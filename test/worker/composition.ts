import * as Layer from "effect/Layer"
import { stores } from "../../adapters/memory/stores.ts"
import * as Reviews from "../../adapters/memory/Reviews.ts"
import * as Sandbox from "../../apps/sandbox/SandboxLibrary.ts"
import { healthy, memoryReceivers, settings } from "../http/settings.ts"
import { memoryLibrary } from "../kit/oracle.ts"

/** The whole service over ports in memory: what a runtime of one's own would compose of other adapters. */
export const composition = Layer.mergeAll(Sandbox.layer, healthy, memoryReceivers).pipe(
  Layer.provideMerge(Reviews.layer),
  Layer.provideMerge(memoryLibrary),
  Layer.provideMerge(stores),
  Layer.provideMerge(settings)
)
