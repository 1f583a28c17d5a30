import { unless } from "../request.ts"
import type { Ask, CheckRequest, CheckResponse } from "../request.ts"

/** HEAD is GET without a body (contract §1): the same status and headers; `got` is what GET answered. */
export const headFaults = async (
  ask: Ask,
  asked: CheckRequest,
  got: Pick<CheckResponse, "status" | "headers">
): Promise<ReadonlyArray<string>> => {
  if (asked.method !== "GET") return []
  const { headers, status, text } = await ask({ ...asked, method: "HEAD" })
  const other = alike.filter((name) => headers.get(name) !== got.headers.get(name))
  return [
    ...unless(status === got.status, `HEAD answers ${status} where GET answers ${got.status}`),
    ...unless(text === "", "HEAD has a body"),
    ...other.map((name) => `HEAD has another ${name} than GET`)
  ]
}

const alike = ["content-type", "etag", "cache-control"] as const
