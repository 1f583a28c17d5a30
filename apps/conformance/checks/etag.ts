import { operationRow } from "../../../core/operation/catalogue.ts"
import type { OperationId } from "../../../core/operation/catalogue.ts"
import { unless } from "../request.ts"
import type { Bench } from "../Bench.ts"
import { kindOf, sampleFor, withHeaders, withQuery } from "../samples.ts"
import type { Sample } from "../samples.ts"
import { verdictOf } from "../Verdict.ts"
import type { Verdict } from "../Verdict.ts"

const otherTag = 'W/"00000000000000000000000000000000"'

/** A weak ETag over data, include and as_of; If-None-Match answers 304 (contract §1). */
export const checkEtag = async (bench: Bench, id: OperationId): Promise<ReadonlyArray<Verdict>> => {
  const subject = { operation: id, surface: "sandbox" } as const
  const { credits, etag } = operationRow(id)
  if (etag !== true) return []
  const key = await bench.keyFor(kindOf(id), credits * 5)
  const sample = await sampleFor(bench, id, key)
  const send = (asked: Sample) => bench.ask({ ...asked, key })
  const first = await send(sample)
  const tag = first.headers.get("etag") ?? ""
  const again = await send(sample)
  const same = await send(withHeaders(sample, { "if-none-match": `"other", ${tag}` }))
  const other = await send(withHeaders(sample, { "if-none-match": otherTag }))
  const varied = sample.path.includes("include=")
    ? await send(withQuery(sample, { include: undefined }))
    : undefined
  return [
    verdictOf(subject, "etag", [
      ...unless(/^W\/"[^"]+"$/.test(tag), "ETag is missing or not weak"),
      ...unless(again.headers.get("etag") === tag, "the same answer has another ETag"),
      ...unless(same.status === 304, `If-None-Match with its ETag answers ${same.status}, not 304`),
      ...unless(same.text === "", "304 has a body"),
      ...unless(same.headers.get("etag") === tag, "304 does not repeat the ETag"),
      ...unless(other.status === 200, `If-None-Match with another ETag answers ${other.status}, not 200`),
      ...unless(varied?.headers.get("etag") !== tag, "an answer with other includes has the same ETag")
    ])
  ]
}
