/** What became of one call, as its client saw it; status 0: the connection failed. */
export interface CallResult {
  readonly status: number
  /** The error's code; empty for a success. */
  readonly code: string
  readonly headers: Headers
  readonly body: ResponseBody
  readonly beganMs: number
  readonly tookMs: number
  /** Why the connection failed, in the system's word (`ECONNREFUSED`). */
  readonly failure?: string
}

export interface ResponseBody {
  readonly data?: unknown
  readonly error?: { readonly code: string }
  readonly meta?: Readonly<Record<string, unknown>>
}

/** Calls with a key; a connection that fails is told as status 0 and never thrown. */
export const call = async (url: string, key: string, init: RequestInit = {}): Promise<CallResult> => {
  const beganMs = performance.now()
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", ...init.headers }
  const told = await fetch(url, { ...init, headers })
    .then(async (response) => ({
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as ResponseBody
    }))
    .catch((error: Error & { readonly cause?: { readonly code?: string } }) => ({
      status: 0,
      headers: new Headers(),
      body: {} as ResponseBody,
      failure: error.cause?.code ?? "unknown"
    }))
  return { ...told, code: told.body.error?.code ?? "", beganMs, tookMs: performance.now() - beganMs }
}

/** A read that costs 1. */
export const readPath = "/api/v1/jurisdictions"

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Waits for what must come by itself, and says how many ms it took. */
export const until = async (holds: () => boolean | Promise<boolean>, withinMs: number): Promise<number> => {
  const beganMs = performance.now()
  while (!(await holds())) {
    if (performance.now() - beganMs > withinMs) throw new Error(`not within ${withinMs} ms: ${holds}`)
    await pause(10)
  }
  return performance.now() - beganMs
}

/** A crowd that calls until it is told to stop. */
export interface Load<Told extends CallResult> {
  readonly calls: ReadonlyArray<Told>
  readonly end: () => Promise<ReadonlyArray<Told>>
}

/** So many callers at once, each with a pause between its calls. */
export const underLoad = <Told extends CallResult>(
  callers: number,
  pauseMs: number,
  ask: (caller: number) => Promise<Told>
): Load<Told> => {
  const calls: Array<Told> = []
  let stopped = false
  const caller = async (number: number) => {
    while (!stopped) {
      calls.push(await ask(number))
      await pause(pauseMs)
    }
  }
  const all = Promise.all(Array.from({ length: callers }, (_, number) => caller(number)))
  return {
    calls,
    end: async () => {
      stopped = true
      await all
      return calls
    }
  }
}

/** How often each thing was said. */
export const tally = (words: ReadonlyArray<string>): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}

/** The value below which this share of the numbers lies. */
export const quantile = (numbers: ReadonlyArray<number>, share: number): number => {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** Figures for whoever reads the run. */
export const say = (sentence: string): void => void process.stdout.write(`  ${sentence}\n`)
