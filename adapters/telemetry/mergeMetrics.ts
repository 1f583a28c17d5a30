/** The page of one worker. */
export interface WorkerMetrics {
  /** Its place among the workers, which a worker that is started again takes over. */
  readonly worker: string
  readonly text: string
}

interface Family {
  readonly comments: Array<string>
  readonly samples: Array<string>
}

/**
 * One page of several workers in Prometheus' text: every sample bears whose it is, so that counters that
 * began anew with a worker are seen to, and each metric's lines stand together.
 */
export const mergeMetrics = (pages: ReadonlyArray<WorkerMetrics>): string => {
  const families = new Map<string, Family>()
  for (const { text, worker } of pages) {
    let name = ""
    for (const line of text.split("\n")) {
      if (line === "") continue
      const comment = /^# (?:HELP|TYPE) (\S+)/.exec(line)
      name = comment?.[1] ?? name
      const family = families.get(name) ?? { comments: [], samples: [] }
      families.set(name, family)
      if (comment === null) family.samples.push(labeled(line, worker))
      else if (!family.comments.includes(line)) family.comments.push(line)
    }
  }
  return Array.from(families.values(), ({ comments, samples }) =>
    [...comments, ...samples].map((line) => `${line}\n`).join("")
  ).join("")
}

const labeled = (sample: string, worker: string): string => {
  const label = `worker="${worker}"`
  const brace = sample.indexOf("{")
  if (brace !== -1) return `${sample.slice(0, brace + 1)}${label},${sample.slice(brace + 1)}`
  const space = sample.indexOf(" ")
  return `${sample.slice(0, space)}{${label}}${sample.slice(space)}`
}
