import cluster from "node:cluster"
import type { Worker } from "node:cluster"
import * as Effect from "effect/Effect"
import { mergeMetrics } from "../../adapters/telemetry/mergeMetrics.ts"
import type { WorkerMetrics } from "../../adapters/telemetry/mergeMetrics.ts"

/** A worker that leaves a scrape unanswered for so long is left out of it. */
const answerMs = 1_000

type Message =
  | { readonly metrics: "wanted"; readonly scrape: number }
  | { readonly metrics: "asked"; readonly scrape: number }
  | { readonly metrics: "told"; readonly scrape: number; readonly text: string }
  | { readonly metrics: "gathered"; readonly scrape: number; readonly pages: ReadonlyArray<WorkerMetrics> }

const isMessage = (message: unknown): message is Message =>
  typeof message === "object" && message !== null && "metrics" in message

/** In a worker: one page of all workers, through the process that started them. */
export const gatherMetrics = (own: Effect.Effect<string>): Effect.Effect<string> => {
  let scrapes = 0
  process.on("message", (message) => {
    if (isMessage(message) && message.metrics === "asked")
      void Effect.runPromise(own).then((text) => send({ metrics: "told", scrape: message.scrape, text }))
  })
  return Effect.callback<string>((resume) => {
    const scrape = ++scrapes
    const onMessage = (message: unknown): void => {
      if (!isMessage(message) || message.metrics !== "gathered" || message.scrape !== scrape) return
      process.off("message", onMessage)
      resume(Effect.succeed(mergeMetrics(message.pages)))
    }
    process.on("message", onMessage)
    send({ metrics: "wanted", scrape })
  })
}

const send = (message: Message): void => void process.send?.(message)

/**
 * In the process that started the workers: asks all of them when one wants the metrics. `places` tells each
 * worker's place, and `ownPage` what is known here alone.
 */
export const answerScrapes = (places: ReadonlyMap<Worker, number>, ownPage: () => string): void => {
  const scrapes = new Map<number, (page: WorkerMetrics) => void>()
  let last = 0
  cluster.on("message", (asker, message: unknown) => {
    if (!isMessage(message)) return
    if (message.metrics === "told") {
      const worker = String(places.get(asker) ?? "")
      return scrapes.get(message.scrape)?.({ worker, text: message.text })
    }
    if (message.metrics !== "wanted") return
    const scrape = ++last
    const pages: Array<WorkerMetrics> = []
    const done = (): void => {
      clearTimeout(timer)
      scrapes.delete(scrape)
      const all = [...pages, { worker: "supervisor", text: ownPage() }]
      if (asker.isConnected()) asker.send({ metrics: "gathered", scrape: message.scrape, pages: all })
    }
    const timer = setTimeout(done, answerMs)
    scrapes.set(scrape, (page) => {
      if (pages.push(page) === places.size) done()
    })
    for (const worker of places.keys()) worker.send({ metrics: "asked", scrape } satisfies Message)
  })
}
