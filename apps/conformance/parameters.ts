import { text as readText } from "node:stream/consumers"
import { parseArgs } from "node:util"
import { operationIds } from "../../core/operation/catalogue.ts"
import type { ConformanceTarget } from "./conform.ts"

/** What one run may spend of the live key's credits, unless more is allowed. */
const creditsAtMost = 50

export const usage = `npm run conformance -- --base-url URL [--key KEY] [--credits N] [--only ids] [--json]

Checks a running server against the catalogue. The sandbox is checked with test keys that it gives. A live key
adds reads of the live surface, for at most N credits (${creditsAtMost} unless said); \`--key -\` reads it from
stdin. \`--only\` names operations, with commas between them. Exits 1 when any check fails.`

export interface Parameters extends Omit<ConformanceTarget, "say"> {
  readonly json: "json" | "text"
}

/** What the command line asks for, or the sentence that says what is wrong with it. */
export const readParameters = async (args: ReadonlyArray<string>): Promise<Parameters | string> => {
  const values = parsed(args)
  if (typeof values === "string") return values
  const { "base-url": baseUrl, credits = String(creditsAtMost), json = false, key, only } = values
  if (baseUrl === undefined) return usage
  if (!URL.canParse(baseUrl) || !/^https?:/.test(baseUrl)) return "--base-url is no http or https URL"
  if (!/^\d{1,6}$/.test(credits)) return "--credits is no number of credits"
  const wanted = only?.split(",")
  const unknown = wanted?.find((name) => !operationIds.some((id) => id === name))
  if (unknown !== undefined) return `--only names ${unknown}, which is no operation`
  return {
    baseUrl: baseUrl.replace(/\/+$/, ""),
    key: key === "-" ? (await readText(process.stdin)).trim() : key,
    credits: Number(credits),
    only: wanted === undefined ? undefined : operationIds.filter((id) => wanted.includes(id)),
    json: json ? "json" : "text"
  }
}

const parsed = (args: ReadonlyArray<string>) => {
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    return error instanceof Error ? error.message : usage
  }
}

const options = {
  "base-url": { type: "string" },
  key: { type: "string" },
  credits: { type: "string" },
  only: { type: "string" },
  json: { type: "boolean" }
} as const
