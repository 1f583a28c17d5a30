import { refusalsOf } from "../../core/admission/gates.ts"
import type { ErrorCode } from "../../core/error/table.ts"
import { isKeyed, operationIds, operationRow } from "../../core/operation/catalogue.ts"
import type { KeyedId, OperationId } from "../../core/operation/catalogue.ts"
import { refusalCodes, standIns } from "../../core/operation/Operation.ts"
import type { ExampleRequest } from "../../core/operation/Operation.ts"
import { seededReleaseId } from "./seededRelease.ts"
import type { TestRequest } from "./TestRequest.ts"

const json = { "content-type": "application/json" }

const requestOf = ({ body, path }: ExampleRequest): TestRequest => ({
  path: path.replace(standIns.release, seededReleaseId),
  ...(body === undefined ? {} : { body: JSON.stringify(body), headers: json })
})

const ofEach = <Value>(make: (id: KeyedId) => Value) =>
  Object.fromEntries(operationIds.filter(isKeyed).map((id) => [id, make(id)])) as Readonly<
    Record<KeyedId, Value>
  >

/** The example of every operation that takes a key; the fixtures hold what it names. */
export const sound = ofEach((id): TestRequest => requestOf(operationRow(id).example))

/** A request that an operation refuses with a code of its input, derived from its example and its schemas. */
const inputFaults: Readonly<Partial<Record<ErrorCode, (id: OperationId) => ExampleRequest | TestRequest>>> = {
  REQUEST_UNSUPPORTED_CONTENT_TYPE: (id) => ({
    ...requestOf(operationRow(id).example),
    headers: { "content-type": "text/plain" }
  }),
  REQUEST_INVALID_CURSOR: (id) => withQuery(id, "cursor=abc"),
  REQUEST_FORMAT_NOT_ACCEPTABLE: (id) => withQuery(id, "format=csv"),
  VALIDATION_INVALID_JSON: (id) => ({ path: operationRow(id).example.path, body: '{"cut', headers: json }),
  VALIDATION_REQUIRED_FIELD: (id) =>
    operationRow(id).body === undefined ? { path: bare(id) } : withBody(id, {}),
  VALIDATION_OUT_OF_RANGE: (id) => {
    if (operationRow(id).paged) return withQuery(id, "limit=101")
    const [list] = membersOf(id).filter(([, value]) => Array.isArray(value))
    if (list !== undefined) return withMember(id, list[0], [])
    return withQuery(id, "x".repeat(9_000))
  },
  VALIDATION_INVALID_FORMAT: (id) => withQuery(id, "x=%ff"),
  VALIDATION_ERROR: (id) => {
    const [member] = membersOf(id)
    if (member !== undefined) return withMember(id, member[0], { not: "its type" })
    const [first = "limit"] = Object.keys((operationRow(id).query as Fields | undefined)?.fields ?? {})
    return { path: `${bare(id)}?${first}=1&${first}=2` }
  }
}

interface Fields {
  readonly fields: Readonly<Record<string, unknown>>
}

const bare = (id: OperationId): string => operationRow(id).example.path.split("?", 1)[0] ?? ""

/** The example with one more parameter, or another value of one that it has. */
const withQuery = (id: OperationId, parameter: string): ExampleRequest => {
  const { example } = operationRow(id)
  const [name = ""] = parameter.split("=")
  const others = (example.path.split("?")[1] ?? "").split("&").filter((one) => !one.startsWith(`${name}=`))
  return { ...example, path: `${bare(id)}?${[...others.filter(Boolean), parameter].join("&")}` }
}

const withBody = (id: OperationId, body: unknown): ExampleRequest => ({ ...operationRow(id).example, body })

const membersOf = (id: OperationId): ReadonlyArray<readonly [string, unknown]> =>
  Object.entries(operationRow(id).example.body ?? {})

const withMember = (id: OperationId, name: string, value: unknown): ExampleRequest =>
  withBody(id, { ...(operationRow(id).example.body as object), [name]: value })

/** What takes an endpoint that the API itself would not make; `prepareRequest` makes it. */
const unreachable: Readonly<Partial<Record<OperationId, Faults>>> = {
  testWebhook: {
    VALIDATION_ERROR: { path: "/webhooks/{webhook private}/test" },
    SERVER_UPSTREAM_UNAVAILABLE: { path: "/webhooks/{webhook resolver-down}/test" }
  }
}

type Faults = Readonly<Partial<Record<ErrorCode, TestRequest>>>

/** What makes an operation refuse its input with a code. */
export const faulty = ofEach((id): Faults => {
  const { refusals } = operationRow(id)
  const derived = refusalsOf(operationRow(id)).map((code) => [code, inputFaults[code]?.(id)] as const)
  const own = refusalCodes(refusals).map((code) => [code, refusals[code] ?? undefined] as const)
  const all = [...derived, ...own].flatMap(([code, request]) =>
    request === undefined
      ? []
      : [[code, typeof request.body === "string" ? request : requestOf(request)] as const]
  )
  return { ...(Object.fromEntries(all) as Faults), ...unreachable[id] }
})

/** What makes the key itself refused: the key's record, or the header in its place. */
export const keyless: Partial<Record<ErrorCode, string | undefined>> = {
  AUTH_MISSING: undefined,
  AUTH_INVALID_FORMAT: "Basic dXNlcjpwYXNz",
  AUTH_INVALID_KEY_FORMAT: "Bearer sk_something",
  AUTH_INVALID_TOKEN: `Bearer ${"t".repeat(43)}`,
  AUTH_KEY_NOT_FOUND: "Bearer vrt_nobody_knows_this_key"
}
