import { operationRow } from "../../core/operation/catalogue.ts"
import type { OperationId } from "../../core/operation/catalogue.ts"
import { standIns, surfacePrefix } from "../../core/operation/Operation.ts"
import { examples } from "../../core/sandbox/examples.ts"
import { sandboxLimits } from "../../core/organization/pack.ts"
import { at } from "./request.ts"
import type { CheckRequest } from "./request.ts"
import type { Bench } from "./Bench.ts"

/** What the rules take for the same request when it is sent again; only its key may differ. */
export type Sample = Omit<CheckRequest, "key">

/** Who may send the example of an operation. */
export const kindOf = (id: OperationId): "own" | "certified" =>
  operationRow(id).requirement === "certified" ? "certified" : "own"

/**
 * The documented example, which the fixtures answer with success; ids in it still stand in for the reader's.
 */
export const exampleOf = (id: OperationId): Sample => {
  const { body, headers, method, path } = examples[id]
  return {
    method,
    path,
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body })
  }
}

/** Another body for an operation of the sandbox. */
export const postedTo = (id: OperationId, body: unknown): Sample => ({
  method: operationRow(id).method,
  path: surfacePrefix.sandbox + operationRow(id).path,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body)
})

/** So many units `sampleFor` may use. */
export const preparingUnits = 8

/**
 * Whether the example is about deliveries, of which a key has none unless it acknowledges for the first
 * time.
 */
const needsDeliveries = (id: OperationId): boolean =>
  id === "listDeliveries" || exampleOf(id).path.includes(standIns.delivery)

/** The units to ask a key for: all of a new one where it must not have been used before. */
export const unitsFor = (id: OperationId, units: number): number =>
  needsDeliveries(id) ? sandboxLimits.perMinute : units

/** The example with the ids of a webhook and a delivery that the key makes for it. */
export const sampleFor = async ({ ask }: Bench, id: OperationId, key: string): Promise<Sample> => {
  const sample = exampleOf(id)
  // A list of none would tell nothing.
  if (id === "listWebhooks") await ask({ ...exampleOf("createWebhook"), key })
  if (!sample.path.includes(standIns.webhook)) return sample
  const { json: made } = await ask({ ...exampleOf("createWebhook"), key })
  const webhook = String(at(made, "data", "id"))
  const path = sample.path.replace(standIns.webhook, webhook)
  if (!needsDeliveries(id)) return { ...sample, path }
  // Two events, so that the log has a second page.
  await ask({ ...exampleOf("acknowledgeChange"), key })
  await ask({ ...exampleOf("acknowledgeChanges"), key })
  const log = await ask({
    method: "GET",
    path: `${surfacePrefix.sandbox}/webhooks/${webhook}/deliveries`,
    key
  })
  return { ...sample, path: path.replace(standIns.delivery, String(at(log.json, "data", 0, "delivery_id"))) }
}

/** The sample with another query: members that are undefined are taken out. */
export const withQuery = (sample: Sample, members: Readonly<Record<string, string | undefined>>): Sample => {
  const [path = "", query = ""] = sample.path.split("?")
  const search = new URLSearchParams(query)
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) search.delete(name)
    else search.set(name, value)
  }
  return { ...sample, path: search.size === 0 ? path : `${path}?${search}` }
}

export const withHeaders = (sample: Sample, headers: Readonly<Record<string, string>>): Sample => ({
  ...sample,
  headers: { ...sample.headers, ...headers }
})
