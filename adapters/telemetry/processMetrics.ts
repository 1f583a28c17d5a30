import { monitorEventLoopDelay, performance } from "node:perf_hooks"

/** The event loop's delay is looked at so often; an idle process wakes for it ten times a second. */
const resolutionMs = 100

const delay = monitorEventLoopDelay({ resolution: resolutionMs })
let looked = performance.eventLoopUtilization()

/** The process in Prometheus' text: what its own client libraries call these, read when it is asked. */
export const processMetrics = (): string => {
  delay.enable()
  const { heapTotal, heapUsed, rss } = process.memoryUsage()
  const { system, user } = process.cpuUsage()
  const now = performance.eventLoopUtilization()
  const { utilization } = performance.eventLoopUtilization(now, looked)
  looked = now
  // A timer of 100 ms that is on time is late by nothing.
  const late = (ns: number): number => Math.max(0, ns / 1e9 - resolutionMs / 1_000)
  const lines = [
    ...metric("process_cpu_seconds_total", "counter", "CPU time of the process.", (user + system) / 1e6),
    ...metric("process_resident_memory_bytes", "gauge", "Resident memory of the process.", rss),
    ...metric("process_start_time_seconds", "gauge", "When the process started, Unix time.", startedSeconds),
    ...metric("nodejs_heap_size_used_bytes", "gauge", "Heap of V8 in use.", heapUsed),
    ...metric("nodejs_heap_size_total_bytes", "gauge", "Heap of V8.", heapTotal),
    ...metric(
      "nodejs_eventloop_utilization",
      "gauge",
      "Share of the time since the last scrape.",
      utilization
    ),
    ...metric("nodejs_eventloop_lag_p50_seconds", "gauge", lagSays, late(delay.percentile(50))),
    ...metric("nodejs_eventloop_lag_p99_seconds", "gauge", lagSays, late(delay.percentile(99))),
    ...metric("nodejs_eventloop_lag_max_seconds", "gauge", lagSays, late(delay.max))
  ]
  delay.reset()
  return `${lines.join("\n")}\n`
}

const startedSeconds = Math.round(performance.timeOrigin / 1_000)
const lagSays = "How late the event loop was since the last scrape."

const metric = (
  name: string,
  type: "counter" | "gauge",
  says: string,
  value: number
): ReadonlyArray<string> => [
  `# HELP ${name} ${says}`,
  `# TYPE ${name} ${type}`,
  `${name} ${Number.isFinite(value) ? value : 0}`
]
