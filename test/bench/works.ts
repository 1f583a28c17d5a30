import { requestText } from "./load.ts"
import type { WriteLoad } from "./load.ts"
import { endpointOf, keyOf, policyOf } from "./seed.ts"
import { connections, organizations, policies } from "./sizes.ts"
import type { Yardstick } from "./yardstick.ts"

/** A load of ours, and the same of the yardstick where it has the operation. */
export interface Work {
  readonly what: string
  /** Requests per second against the yardstick's (performance). */
  readonly bar: number
  readonly connections: number
  readonly ours: ReadonlyArray<string>
  readonly yardstick: (yardstick: Yardstick) => ReadonlyArray<string>
}

const numbers = Array.from({ length: organizations }, (_, number) => number)

const policyPath = (id: string) => `/api/v1/policies/${id}`

/** One request by each organization, over all policies. */
export const policyReads = numbers.map((number) =>
  requestText(policyPath(policyOf(number % policies)), keyOf(number))
)

/** The same of the yardstick. */
export const yardstickReads = ({ keyFor, policyId }: Yardstick) =>
  numbers.map((number) => requestText(policyPath(policyId(number % policies)), keyFor(number + 1)))

const change = (isKeyed: boolean): WriteLoad => ({
  method: "PATCH",
  body: '{"events":["compliance.acknowledged"]}',
  isKeyed
})

/** A change of its one endpoint by each organization, never the same call twice. */
const changes = (isKeyed: boolean) =>
  numbers.map((number) =>
    requestText(`/api/v1/webhooks/${endpointOf(number)}`, keyOf(number), change(isKeyed))
  )

const yardstickChanges =
  (isKeyed: boolean) =>
  ({ keyFor }: Yardstick) =>
    numbers.map((number) =>
      requestText(`/api/v1/webhooks/${number + 1}`, keyFor(number + 1), change(isKeyed))
    )

const getPolicy = { what: "GET policy", ours: policyReads, yardstick: yardstickReads }

/** What the hot mode compares. */
export const works: ReadonlyArray<Work> = [
  { ...getPolicy, bar: 0.55, connections },
  { ...getPolicy, bar: 0.85, connections: 1 },
  {
    what: "429 flood of one organization",
    bar: 0.7,
    connections,
    ours: policyReads.slice(0, 1),
    yardstick: (yardstick) => yardstickReads(yardstick).slice(0, 1)
  },
  {
    what: "PATCH webhook",
    bar: 0.5,
    connections,
    ours: changes(false),
    yardstick: yardstickChanges(false)
  },
  {
    what: "PATCH webhook with an idempotency key",
    bar: 0.35,
    connections,
    ours: changes(true),
    yardstick: yardstickChanges(true)
  }
]

const posts = (path: string, body: object) =>
  numbers.map((number) => requestText(path, keyOf(number), { method: "POST", body: JSON.stringify(body) }))

const evaluations = posts("/api/v1/coverage/evaluate", {
  policy_id: "L33831",
  parameters: { procedure_code: "K0001", diagnosis_codes: ["E11.65"] }
})

const claims = posts("/api/v1/claims/validate", {
  procedure_codes: ["K0001"],
  diagnosis_codes: ["E11.65"],
  state: "TX",
  date_of_service: "2026-01-15",
  site_of_service: "office"
})

const searches = numbers.map((number) =>
  requestText(`/api/v1/policies?q=wheelchair%20region%20${number % policies}`, keyOf(number))
)

const lookups = numbers.map((number) => requestText("/api/v1/codes/lookup?code=E0601", keyOf(number)))

/** Operations that the yardstick lacks, each alone. */
export const reads: ReadonlyArray<Pick<Work, "what" | "ours">> = [
  { what: "evaluate", ours: evaluations },
  { what: "claims", ours: claims },
  { what: "search", ours: searches }
]

const plain = changes(false)

/** 60 % policies, 20 % codes, 10 % evaluations, 5 % searches, 5 % changes. */
export const mix = numbers.map((number) => {
  const share = number % 20
  const kind =
    share < 12 ? policyReads : share < 16 ? lookups : share < 18 ? evaluations : share < 19 ? searches : plain
  return kind[number] ?? ""
})
