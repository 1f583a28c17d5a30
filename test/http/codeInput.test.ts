import * as fc from "fast-check"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as MemoryLimits from "../../adapters/memory/Limits.ts"
import { decodeInput } from "../../core/admission/decode.ts"
import { isRefusal } from "../../core/error/Refusal.ts"
import type { FieldFault } from "../../core/error/details.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import {
  diagnoses,
  diagnosisMutations,
  modifierMutations,
  procedureMutations,
  procedures,
  writings
} from "../kit/codeMutations.ts"
import { diagnosisPlaces, filter, modifierPlaces, procedurePlaces, toolPlaces } from "../kit/codePlaces.ts"
import type { Place } from "../kit/codePlaces.ts"
import { callTool } from "../mcp/posting.ts"
import { serveMcp } from "../mcp/site.ts"
import type { McpSite } from "../mcp/site.ts"
import { seedDecisions } from "./decisions.ts"
import { customer, healthy } from "./harness.ts"
import { inMemory } from "./stores.ts"

const ports = Layer.mergeAll(inMemory, MemoryLimits.layer, healthy)

/** A refusal never repeats the text. Shorter texts are also parts of times and identifiers. */
const withoutText = (answer: string, text: string): void => {
  if (text.length > 4) expect(answer).not.toContain(JSON.stringify(text).slice(1, -1))
}

let site: McpSite<Layer.Success<typeof ports>>
beforeAll(async () => {
  site = await serveMcp(ports)
  await site.run(seedDecisions)
})
afterAll(() => site.close())

/** A customer with the limits of a minute to itself. */
const caller = async () => {
  const { key, organizationId } = await site.run(customer({ pack: "scale" }))
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const send = ({ body, path }: Place, code: string) =>
    body === undefined
      ? fetch(`${site.url}/api/v1${path}${encodeURIComponent(code)}`, { headers })
      : fetch(`${site.url}/api/v1${path}`, {
          method: "POST",
          headers,
          body: JSON.stringify(body(code))
        })
  const charged = async () => {
    const found = await site.run(
      Effect.flatMap(Ledger, (ledger) => ledger.statement({ organizationId, nowMs: Date.now() }))
    )
    return found?.charged ?? 0
  }
  return { send, charged, token: site.token({ organizationId }) }
}

const codeOf = (answer: unknown): unknown => Object(Object(answer).error).code
const fieldsOf = (answer: unknown): ReadonlyArray<FieldFault> =>
  Object(Object(Object(answer).error).details).fields ?? []

/** A refused call uses its cost of the minute's limit: 100 comparisons use 800 of 1,000. */
const textsOfCaller = 100

const expectRefused = async (
  response: Response,
  { at, text }: { readonly at: string; readonly text: string }
): Promise<void> => {
  const answer = await response.text()
  const json: unknown = JSON.parse(answer)
  expect([text, response.status, codeOf(json)]).toEqual([text, 400, "VALIDATION_INVALID_FORMAT"])
  expect(response.headers.get("x-credits-cost")).toBe("0")
  const [fault, ...others] = fieldsOf(json)
  expect([fault?.path, others]).toEqual([at, []])
  expect(fault?.message).toMatch(/^`[^`]+` [^;]+; send .+\.$/)
  expect(Object(Object(json).error).message).toBe(fault?.message)
  withoutText(answer, text)
}

const groups = [
  ["procedure code", procedurePlaces, procedureMutations],
  ["diagnosis", diagnosisPlaces, diagnosisMutations],
  ["modifier", modifierPlaces, modifierMutations]
] as const

describe("coverage-domain §2.1 rule 1: a text that is not a code decides nothing", () => {
  it("covers more than 200 mutations of valid codes", () => {
    const count = groups.reduce((sum, [, , texts]) => sum + texts.length, 0)
    expect(count).toBeGreaterThan(200)
  })

  it.each(groups.flatMap(([kind, places, texts]) => places.map((place) => [kind, place, texts] as const)))(
    "refuses every mutation of a %s at its place, names the place and charges nothing: %j",
    async (_, place, texts) => {
      for (let first = 0; first < texts.length; first += textsOfCaller) {
        const { charged, send } = await caller()
        for (const text of texts.slice(first, first + textsOfCaller)) {
          await expectRefused(await send(place, text), { text, at: place.at })
        }
        expect(await charged()).toBe(0)
      }
    },
    120_000
  )

  it.each(toolPlaces)(
    "refuses every mutation as an argument of $name at $at and charges nothing",
    async ({ at, input, name, texts }) => {
      const { charged, token } = await caller()
      for (const text of texts) {
        const { posted, result } = await callTool(site.url, token, name, input(text))
        const content: unknown = Object(result).structuredContent
        expect([text, Object(result).isError, codeOf(content)]).toEqual([
          text,
          true,
          "VALIDATION_INVALID_FORMAT"
        ])
        expect(fieldsOf(content).map(({ path }) => path)).toEqual([at])
        withoutText(posted.text, text)
      }
      expect(await charged()).toBe(0)
    },
    120_000
  )

  it("law: mutations of any code are refused before an operation runs", () => {
    const procedure = fc.oneof(
      fc.stringMatching(/^[0-9]{4}[0-9AFMTU]$/),
      fc.stringMatching(/^[A-HJ-NP-V][0-9]{4}$/)
    )
    const modifier = fc.constantFrom("NU", "50", "RT", "25", "KX")
    const mutation = fc.oneof(
      fc.tuple(procedure, fc.constantFrom("-", " ", ",", ":", ""), modifier),
      fc.tuple(procedure, fc.constantFrom("-", ",", ";", " ", " to ", "/", "|"), procedure),
      fc.tuple(fc.constantFrom("CPT ", "HCPCS:", "(", "#", "code "), procedure),
      fc.tuple(procedure, fc.constantFrom(".", ",", ";", ")", "*", "-"))
    )
    const raw = { params: {}, query: {}, accept: undefined, contentType: "application/json" }
    fc.assert(
      fc.property(mutation, (parts) => {
        const text = parts.join("")
        const found = decodeInput(
          "checkPriorAuth",
          { ...raw, contentEncoding: undefined },
          { _tag: "Text", text: JSON.stringify({ procedure_codes: [text] }) }
        )
        expect(isRefusal(found) && found.code).toBe("VALIDATION_INVALID_FORMAT")
        withoutText(JSON.stringify(found), text)
      }),
      { numRuns: 2_000 }
    )
  })
})

/** The members of a claim that repeat the request. */
const echoes = ["procedure_codes", "diagnosis_codes", "modifiers", "units"]

const dataOf = async (response: Response): Promise<unknown> => {
  const { data } = (await response.json()) as { readonly data: object }
  expect(response.status).toBe(200)
  return Array.isArray(data)
    ? data
    : Object.fromEntries(Object.entries(data).filter(([name]) => !echoes.includes(name)))
}

describe("coverage-domain §2.1 rule 1: every writing of a code is that code", () => {
  const written = [
    ["procedure code", procedurePlaces, [...procedures.slice(1), "20610"]],
    ["diagnosis", diagnosisPlaces, [...diagnoses.slice(1), "M1711"]],
    ["modifier", modifierPlaces, ["59", "RT"]]
  ] as const
  it.each(
    written.flatMap(([kind, places, codes]) =>
      places.filter(({ path }) => !path.includes("csv")).map((place) => [kind, place, codes] as const)
    )
  )(
    "answers a %s in any writing as in its usual one: %j",
    async (_, place, codes) => {
      for (const code of codes) {
        const { send } = await caller()
        const usual = await dataOf(await send(place, code))
        for (const text of writings(code)) expect(await dataOf(await send(place, text))).toEqual(usual)
      }
    },
    120_000
  )
})

describe("coverage-domain §2.1 rule 1: a category of diagnoses", () => {
  it.each(["M17", "m17.*", " M17.* "])("icd10=%j finds the policies that list a code of it", async (text) => {
    const { send } = await caller()
    const found = (await dataOf(await send(filter("icd10"), text))) as ReadonlyArray<{ policy_id: string }>
    expect(found.map((one) => one.policy_id)).toContain("A56000")
  })

  it("icd10=M1 is no category, and M17.1 is a code that no policy lists", async () => {
    const { send } = await caller()
    expect((await send(filter("icd10"), "M1")).status).toBe(400)
    expect(await dataOf(await send(filter("icd10"), "M17.1"))).toEqual([])
  })
})
