import * as Layer from "effect/Layer"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import type { ReservedInputs, ReservedRequest } from "../../core/sandbox/reservedInputs.ts"
import type { movableClock } from "./clock.ts"
import { healthy } from "./harness.ts"
import type { ErrorBody } from "./harness.ts"
import { memoryLibraryOver, memoryStores, postgresStores } from "./stores.ts"

/** Keys, records and limits of a sandbox suite; its library is the fixtures' whatever the live one holds. */
export const sandboxStores = [
  ["memory", () => memoryStores],
  ["PostgreSQL", () => postgresStores]
] as const

export const sandboxOver = (
  stores: (typeof sandboxStores)[number][1],
  clock: ReturnType<typeof movableClock>
) =>
  Layer.mergeAll(memoryLibraryOver(stores()), MemoryLimits.layer, healthy).pipe(
    Layer.provideMerge(clock.layer)
  )

export interface TestKey {
  readonly key: string
  readonly scopes: ReadonlyArray<string>
  readonly release_id: string | null
  readonly expires_at: string
}

/** Calls of a sandbox client, by the address of its server. */
export const sandboxClient = (url: () => string) => {
  const send = ({ authorization, body, headers = {}, method, path }: ReservedRequest, key: string) =>
    fetch(url() + path, {
      method,
      headers: {
        ...headers,
        ...(authorization === "none"
          ? {}
          : { authorization: authorization.includes(" ") ? authorization : `Bearer ${key}` })
      },
      ...(body === undefined ? {} : { body })
    })
  const ask = (path: string, init: RequestInit = {}) => fetch(`${url()}/api/sandbox/v1${path}`, init)
  const create = (body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
    ask("/keys", {
      method: "POST",
      headers: body === undefined ? headers : { "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  return {
    send,
    ask,
    create,
    /** A test key as it was answered. */
    testKey: async (body?: unknown): Promise<TestKey> =>
      ((await (await create(body)).json()) as { readonly data: TestKey }).data,
    /** A call with a key. */
    call: (path: string, key: string, init: RequestInit = {}) =>
      ask(path, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } }),
    /** Sends a row of the table and answers its last response. */
    provoke: async ({ first, request }: ReservedInputs, key: string) => {
      if (first !== undefined) await (await send(first, key)).text()
      return send(request, key)
    }
  }
}

export const errorOf = async (response: Response) => ((await response.json()) as ErrorBody).error
