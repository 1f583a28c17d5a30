import * as Metric from "effect/Metric"

/**
 * What is measured, each a row: its name, its unit in the name, and what it tells. Nobody is named in a
 * label: no organization, key, address or path as it was sent.
 */

/** From a tenth of a millisecond to the ten seconds a call may take. */
const secondsBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export const callsAnswered = (labels: {
  readonly operation: string
  readonly surface: string
  readonly status: string
}) =>
  Metric.counter("coverage_calls_total", {
    description: "Calls by operation, surface and HTTP status.",
    incremental: true,
    attributes: labels
  })

export const callSeconds = (labels: { readonly operation: string; readonly surface: string }) =>
  Metric.histogram("coverage_call_seconds", {
    description: "From the request's head to the answer.",
    boundaries: secondsBounds,
    attributes: labels
  })

export const creditsSpent = (labels: { readonly operation: string }) =>
  Metric.counter("coverage_credits_spent_total", {
    description: "Credits that answered calls cost.",
    incremental: true,
    attributes: labels
  })

/** `store` is what was waited for: `charges`, `limits`, plain `writes` or `probe`. */
export const storeSeconds = (labels: { readonly store: "charges" | "limits" | "writes" | "probe" }) =>
  Metric.histogram("coverage_store_seconds", {
    description: "One commit of a group of charges, one script call for a batch of limits, one probe.",
    boundaries: secondsBounds,
    attributes: labels
  })

export const batchSize = (labels: { readonly store: "charges" | "limits" | "writes" }) =>
  Metric.histogram("coverage_batch_size", {
    description: "Calls that shared one commit or one script call.",
    boundaries: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_000],
    attributes: labels
  })

export const databaseUp = Metric.gauge("coverage_database_up", {
  description: "1 while PostgreSQL answers the probe, else 0."
})

export const limitsDegraded = Metric.gauge("coverage_limits_degraded", {
  description: "1 while the shared limits are unavailable and each process counts half of them by itself."
})

/** Which of the two is down and why, by the words of health. */
export const dependencyFault = (labels: {
  readonly dependency: "database" | "limits"
  readonly reason: string
}) =>
  Metric.gauge("coverage_dependency_fault", {
    description: "1 while a dependency is down for this reason, else 0.",
    attributes: labels
  })

export const replicaInUse = Metric.gauge("coverage_replica_in_use", {
  description: "1 while the library is read from the replica, 0 while it lags or does not answer."
})

export const queueWaitSeconds = Metric.gauge("coverage_webhook_queue_wait_seconds", {
  description: "How long the oldest due webhook job has waited; 0 when none is due."
})

export const deliveriesAttempted = (labels: { readonly outcome: string }) =>
  Metric.counter("coverage_webhook_attempts_total", {
    description: "Attempts to deliver a webhook by outcome.",
    incremental: true,
    attributes: labels
  })
