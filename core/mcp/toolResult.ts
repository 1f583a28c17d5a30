import type { ToolContent } from "./toolAnswer.ts"

/** The envelope of a part that answered (§2.1). */
interface PartAnswer {
  readonly name: string
  /** The JSON text of its envelope. */
  readonly body: string
}

interface Envelope {
  readonly data?: unknown
  readonly error?: NonNullable<ToolContent["error"]>
  readonly meta: Readonly<Record<string, unknown>> & {
    readonly request_id: string
    readonly timestamp: string
    readonly data_as_of?: string | null
    readonly disclaimer?: string
  }
}

/** The answers of a call's parts as one: data and meta of each under its name. */
export const joined = (answers: ReadonlyArray<PartAnswer>) => {
  const read = answers.map(({ name, body }) => ({ name, envelope: readOwn(body) }))
  const coverage = read.map(({ envelope }) => coverageOf(envelope))
  const parts = read
    .map(({ name, envelope }) => [name, ownMetaOf(envelope)] as const)
    .filter(([, meta]) => Object.keys(meta).length > 0)
  return {
    data: JSON.stringify(Object.fromEntries(read.map(({ name, envelope }) => [name, envelope.data]))),
    meta: Object.assign({}, ...coverage, parts.length === 0 ? {} : { parts: Object.fromEntries(parts) })
  }
}

/** What all parts of a call say alike: they read one library. */
const coverageOf = ({ meta: { data_as_of, disclaimer } }: Envelope) => ({
  ...(data_as_of === undefined ? {} : { data_as_of }),
  ...(disclaimer === undefined ? {} : { disclaimer })
})

const ownMetaOf = ({ meta }: Envelope): Readonly<Record<string, unknown>> => {
  const { request_id: _, timestamp: __, data_as_of: ___, disclaimer: ____, ...own } = meta
  return own
}

/**
 * A sealed answer as the tool's content: the API's data or error, with the request's id and what the call
 * cost.
 */
export const contentOf = (answer: {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}): ToolContent => {
  const { data, error, meta } = readOwn(answer.body ?? "{}")
  const remaining = answer.headers["x-credits-remaining"]
  const credits = {
    cost: Number(answer.headers["x-credits-cost"] ?? 0),
    remaining: remaining === undefined ? null : Number(remaining)
  }
  const told = { ...meta, credits }
  return error === undefined
    ? { data: Object(data), meta: told }
    : { error, request_id: meta.request_id, meta: told }
}

/** Our own text, which we have just written. */
const readOwn = (text: string): Envelope => JSON.parse(text) as Envelope
