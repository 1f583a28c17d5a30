import type { Pair } from "./compare.ts"
import { median } from "./load.ts"
import { bareRequests, measure } from "./measure.ts"
import { everybody } from "./rows.ts"
import { say } from "./say.ts"
import { rounds } from "./sizes.ts"

/** How long a caller waits whom nobody disturbs: the median over one connection. */
export const oneConnection = async ({ bare, ours }: Omit<Pair, "stores">): Promise<void> => {
  const [plain, service]: [Array<number>, Array<number>] = [[], []]
  const alone = { stores: [], connections: 1 }
  for (let round = 0; round < rounds; round++) {
    const one = await measure({ ...alone, server: bare, requests: bareRequests })
    plain.push(one.outcome.p50Microseconds)
    const other = await measure({ ...alone, server: ours, requests: everybody })
    service.push(other.outcome.p50Microseconds)
  }
  say(
    `one connection, p50 of GET policy: ${(median(service) / median(plain)).toFixed(1)}x bare ` +
      `(${median(service).toFixed(0)} against ${median(plain).toFixed(0)} µs)`
  )
}
