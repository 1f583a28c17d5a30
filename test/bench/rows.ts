import { requestText } from "./load.ts"
import { endpointOf, keyOf } from "./seed.ts"
import { connections, crowdedConnections, organizations } from "./sizes.ts"

/** One figure: what is measured, the bar it should stay under (performance), and its requests. */
export interface Row {
  readonly what: string
  readonly bar: number
  readonly machineBar?: number
  readonly requests: ReadonlyArray<string>
  readonly connections: number
  readonly expects: number
}

/** The policy that everybody asks for. */
export const policy = "/api/v1/policies/L33831"

/** One request for it by each organization. */
export const everybody = Array.from({ length: organizations }, (_, number) =>
  requestText(policy, keyOf(number))
)

/** A change of its one endpoint by each organization, never the same call twice. */
const changes = Array.from({ length: organizations }, (_, number) =>
  requestText(`/api/v1/webhooks/${endpointOf(number)}`, keyOf(number), {
    method: "PATCH",
    body: '{"events":["compliance.acknowledged"]}'
  })
)

const getPolicy = {
  what: `GET policy, ${organizations} organizations`,
  bar: 4,
  machineBar: 7,
  requests: everybody,
  expects: 200
}

/** The figures, each a ratio of CPU time to that of the bare server. */
export const rows: ReadonlyArray<Row> = [
  { ...getPolicy, connections },
  { ...getPolicy, connections: crowdedConnections },
  {
    what: "429 flood of one organization",
    bar: 2.5,
    requests: [requestText(policy, keyOf(0))],
    connections,
    expects: 429
  },
  {
    what: "PATCH webhook with an idempotency key",
    bar: 7,
    requests: changes,
    connections,
    expects: 200
  },
  {
    what: "health",
    bar: 1.7,
    requests: [requestText("/api/v1/health", undefined)],
    connections,
    expects: 200
  },
  {
    what: "401 of a mistyped key",
    bar: 1.7,
    requests: [requestText(policy, "svc_live_mistyped")],
    connections,
    expects: 401
  }
]
