import { judge } from "./compare.ts"
import { median } from "./load.ts"
import { startServer } from "./processes.ts"
import { say } from "./say.ts"

/** How often the server starts again on a data folder that it has filled. */
const laterStarts = 3

/** How long the server takes to start over its embedded database. */
export const starts = async (dataDir: string): Promise<void> => {
  const environment = { DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "error" }
  const first = await startServer("apps/http/main.ts", environment)
  await first.stop()
  const later: Array<number> = []
  for (let time = 0; time < laterStarts; time++) {
    const beganMs = performance.now()
    const server = await startServer("apps/http/main.ts", environment)
    await fetch(`${server.url}/api/v1/health`)
    later.push(performance.now() - beganMs)
    await server.stop()
  }
  const [firstSeconds, laterSeconds] = [first.startMs / 1_000, median(later) / 1_000]
  say(
    `start to first answer, embedded: first ${firstSeconds.toFixed(2)} s, ` +
      `second ${laterSeconds.toFixed(2)} s${judge(laterSeconds, { atMost: 1.5 })}`
  )
}
