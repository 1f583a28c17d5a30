import type { OperationId } from "../../core/operation/catalogue.ts"
import { parseReleaseId } from "../../core/release/ReleaseId.ts"
import { testKeyDays, testKeyMs, testKeyScopes } from "../../core/sandbox/testKey.ts"
import { priorAuthGap } from "../../core/coverage/priorAuth/priorAuth.ts"
import { at, unless } from "./request.ts"
import type { CheckResponse } from "./request.ts"

type Particular = (heard: CheckResponse) => ReadonlyArray<string>

/** What is promised of one operation's answer, and neither its schema nor an envelope says. */
const particulars: Readonly<Partial<Record<OperationId, Particular>>> = {
  createTestKey: ({ json }) => [
    ...unless(
      Math.abs(lifeMs(json) - testKeyMs) <= clockMs,
      `expires_at is not ${testKeyDays} days from meta.timestamp`
    ),
    ...unless(
      JSON.stringify(at(json, "data", "scopes")) === JSON.stringify(testKeyScopes),
      `scopes are not ${testKeyScopes.join(" and ")}, as for a request that names none`
    )
  ],
  evaluateCoverage: ({ json }) =>
    unless(
      at(json, "data", "covered") === (at(json, "data", "coverage_status") === "covered"),
      "data.covered contradicts data.coverage_status"
    ),
  checkPriorAuth: ({ json }) => [
    ...same(json, ["pa_required"], ["prior_auth_required"]),
    ...same(json, ["coverage_decision", "coverage_status"], ["coverage_status"]),
    // Null there is what cannot be told, which the older members show as false.
    ...same(json, ["coverage_decision", "prior_auth_required"], ["prior_auth_required"], false),
    ...unless(
      at(json, "data", "coverage_decision", "prior_auth_required") !== null || isOpen(at(json, "data")),
      "coverage_decision.prior_auth_required is null without manual review and the gap prior_authorization"
    )
  ],
  listReleaseDecisions: ({ headers, json }) => [
    ...unless(
      parseReleaseId(String(at(json, "meta", "release_id"))) !== undefined,
      "meta.release_id is no release id"
    ),
    ...unless(
      /^[\w-]+\.\.[\w-]{86}$/.test(String(at(json, "meta", "signature"))),
      "meta.signature is no detached JWS of Ed25519"
    ),
    ...unless((headers.get("cache-control") ?? "").includes("private"), "Cache-Control is not private")
  ]
}

export const particularFaults = (id: OperationId, heard: CheckResponse): ReadonlyArray<string> =>
  heard.status === 200 ? (particulars[id]?.(heard) ?? []) : []

/** The answer's own time is taken a moment before or after the key's. */
const clockMs = 60_000

const lifeMs = (json: unknown): number =>
  Date.parse(String(at(json, "data", "expires_at"))) - Date.parse(String(at(json, "meta", "timestamp")))

const isOpen = (data: unknown): boolean => {
  const gaps = at(data, "known_gaps")
  return at(data, "requires_manual_review") === true && Array.isArray(gaps) && gaps.includes(priorAuthGap)
}

type Path = ReadonlyArray<string>

const same = (json: unknown, one: Path, other: Path, forNull: boolean | null = null): ReadonlyArray<string> =>
  unless(
    (at(json, "data", ...one) ?? forNull) === at(json, "data", ...other),
    `data.${one.join(".")} contradicts data.${other.join(".")}`
  )
