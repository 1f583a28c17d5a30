import type { Operation } from "./Operation.ts"
import { codeRows } from "./rows/codes.ts"
import { complianceRows } from "./rows/compliance.ts"
import { coverageRows } from "./rows/coverage.ts"
import { healthRows } from "./rows/health.ts"
import { placeRows } from "./rows/places.ts"
import { policyRows } from "./rows/policies.ts"
import { releaseRows } from "./rows/releases.ts"
import { testKeyRows } from "./rows/testKeys.ts"
import { webhookRows } from "./rows/webhooks.ts"

/**
 * Every operation under /api/v1, mirrored under /api/sandbox/v1 (§4, contract §2): one row each. What only
 * one of them has says so.
 */
export const catalogue = {
  ...healthRows,
  ...codeRows,
  ...policyRows,
  ...placeRows,
  ...coverageRows,
  ...complianceRows,
  ...webhookRows,
  ...releaseRows,
  ...testKeyRows
} as const satisfies Record<string, Operation>

export type Catalogue = typeof catalogue
export type OperationId = keyof Catalogue

export const operationIds = Object.keys(catalogue) as ReadonlyArray<OperationId>

/** What needs no credential (§4.1). */
export type PublicId = {
  [Id in OperationId]: Catalogue[Id]["requirement"] extends null ? Id : never
}[OperationId]

/** What takes a key, and so answers from a library on each surface. */
export type KeyedId = Exclude<OperationId, PublicId>

export const isKeyed = (id: OperationId): id is KeyedId => operationRow(id).requirement !== null

/** What changes something, and so is one commit with its charge (contract §1, Idempotency). */
export type WriteId = {
  [Id in OperationId]: Catalogue[Id] extends { readonly requirement: "write"; readonly method: infer Method }
    ? Method extends "GET"
      ? never
      : Id
    : never
}[OperationId]

export const isWrite = (id: OperationId): id is WriteId => {
  const { method, requirement } = operationRow(id)
  return requirement === "write" && method !== "GET"
}

/** A row under its general type. */
export const operationRow = (id: OperationId): Operation => catalogue[id]
