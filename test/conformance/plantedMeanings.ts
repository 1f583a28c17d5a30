import { isObject } from "../../core/json/isObject.ts"
import type { PlantedFault } from "./plantedFaults.ts"
import { header, json, onError, words } from "./tampering.ts"
import type { Tamper } from "./tampering.ts"

const onUrl =
  (url: RegExp, change: NonNullable<Tamper["answer"]>): NonNullable<Tamper["answer"]> =>
  (returned, passing) =>
    url.test(`${passing.method} ${passing.url}`) ? change(returned, passing) : returned

const ofFigures: ReadonlyArray<PlantedFault> = [
  {
    says: "a page says another limit than was asked for",
    operation: "listPolicies",
    check: "answer",
    told: "meta.pagination.limit is not 2",
    tamper: () => ({ answer: words(/"limit":\d+/, '"limit":7') })
  },
  {
    says: "X-RateLimit-Reset is in milliseconds",
    operation: "listPayers",
    check: "headers",
    told: "X-RateLimit-Reset",
    also: ["refusals"],
    tamper: () => ({ answer: header("x-ratelimit-reset", (value) => `${value}000`) })
  },
  {
    says: "X-Credits-Cost is one more than the catalogue's",
    operation: "getPayer",
    check: "headers",
    surface: "live",
    told: "X-Credits-Cost is not 1",
    tamper: () => ({
      answer: header("x-credits-cost", (value) => String(Number(value) && Number(value) + 1))
    })
  },
  {
    says: "a test key is good until 2030",
    operation: "createTestKey",
    check: "answer",
    told: "expires_at is not 7 days",
    tamper: () => ({ answer: words(/"expires_at":"[^"]*"/, '"expires_at":"2030-01-01T00:00:00.000Z"') })
  },
  {
    says: "HEAD is no method",
    operation: "getJurisdiction",
    check: "method",
    told: "HEAD answers 405 where GET answers 200",
    tamper: () => ({ answer: onUrl(/^HEAD/, (returned) => ({ ...returned, status: 405 })) })
  },
  {
    says: "a list stands in another order",
    operation: "listPolicies",
    check: "cursor",
    told: "the rows do not stand by policy_id, rising; pages of one row are not the rows",
    tamper: () => ({
      answer: onUrl(
        /^GET .*\/policies\?/,
        json("data", (data) => reversed(data))
      )
    })
  }
]

const reversed = (data: unknown): unknown => (Array.isArray(data) ? data.toReversed() : data)

const ofDetails: ReadonlyArray<PlantedFault> = [
  {
    says: "required_scopes are another operation's",
    operation: "createWebhook",
    check: "refusals",
    code: "AUTHZ_SCOPE_REQUIRED",
    told: 'required_scopes is not ["write","admin"]',
    tamper: () => ({
      answer: onError(
        "AUTHZ_SCOPE_REQUIRED",
        words(/"required_scopes":\[.*?\]/, '"required_scopes":["read"]')
      )
    })
  },
  {
    says: "a field's path is no JSON pointer",
    operation: "batchCodes",
    check: "refusals",
    code: "VALIDATION_REQUIRED_FIELD",
    told: "a path of details.fields is no JSON pointer",
    tamper: () => ({
      answer: onError("VALIDATION_REQUIRED_FIELD", words('"path":"/query/', '"path":".query.'))
    })
  },
  {
    says: "a finding holds what was found",
    operation: "getPayer",
    check: "refusals",
    code: "PHI_NOT_ALLOWED",
    told: "a finding tells more than its path and kind",
    tamper: () => ({ answer: onError("PHI_NOT_ALLOWED", words('"kind":', '"value":"1EG4-TE9","kind":')) })
  },
  {
    says: "the message repeats what was found",
    operation: "getPayer",
    check: "refusals",
    code: "PHI_NOT_ALLOWED",
    told: "the answer repeats what was sent",
    tamper: () => ({
      answer: (returned, { url }) => {
        const sent = new URL(url, "http://x").searchParams.get("conformance") ?? ""
        return onError("PHI_NOT_ALLOWED", words('"message":"', `"message":"${sent}: `))(returned, {
          method: "",
          url,
          headers: {},
          body: ""
        })
      }
    })
  }
]

const ofSecrets: ReadonlyArray<PlantedFault> = [
  {
    says: "the list of endpoints shows their secrets",
    operation: "listWebhooks",
    check: "answer",
    told: "a member `secret` is shown",
    tamper: () => ({ answer: onUrl(/^GET .*\/webhooks$/, words('"url":', '"secret":"abc","url":')) })
  },
  {
    says: "a changed endpoint shows its secret under another name",
    operation: "updateWebhook",
    check: "answer",
    told: "a webhook's secret is shown",
    tamper: () => ({ answer: onUrl(/^PATCH/, words('"url":', '"signing":"whsec_abcdef","url":')) })
  },
  {
    says: "a new secret is of the wrong type",
    operation: "createWebhook",
    check: "answer",
    told: "data does not fit: /id: Expected number, came text of 12 characters",
    tamper: () => ({
      answer: onUrl(/^POST .*\/webhooks$/, words(/"id":\d+/, '"id":"whsec_abcdef"'))
    }),
    also: ["idempotency"]
  },
  {
    says: "a release is not signed",
    operation: "listReleaseDecisions",
    check: "answer",
    told: "meta.signature is missing",
    tamper: () => ({ answer: words(/,"signature":"[^"]*"/, "") })
  }
]

const covered = /"covered":(true|false)/
const inverted = (text: string): string =>
  text.replace(covered, (_, value) => `"covered":${value === "true" ? "false" : "true"}`)

const ofDecisions: ReadonlyArray<PlantedFault> = [
  {
    says: "`covered` is turned round",
    operation: "evaluateCoverage",
    check: "answer",
    told: "data/covered is false, and the fixtures say true; data.covered contradicts data.coverage_status",
    tamper: () => ({ answer: (returned) => ({ ...returned, body: inverted(returned.body) }) })
  },
  {
    says: "everything is covered",
    operation: "evaluateCoverage",
    check: "answer",
    told: "a rental that became a purchase: data/covered is true",
    tamper: () => ({ answer: json("data", allCovered) })
  },
  {
    says: "no prior authorization is ever required",
    operation: "checkPriorAuth",
    check: "answer",
    told: "data/pa_required is false",
    tamper: () => ({
      answer: (returned) => ({
        ...returned,
        body: returned.body.replaceAll(/"(pa_required|prior_auth_required)":true/g, '"$1":false')
      })
    })
  }
]

const allCovered = (data: unknown): unknown =>
  isObject(data) && "covered" in data ? { ...data, covered: true, coverage_status: "covered" } : data

/** Faults of meaning: each answer has its shape, and what stands in it is wrong. */
export const plantedMeanings: ReadonlyArray<PlantedFault> = [
  ...ofFigures,
  ...ofDetails,
  ...ofSecrets,
  ...ofDecisions
]
