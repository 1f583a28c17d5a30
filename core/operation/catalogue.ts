import type { Operation } from "./Operation.ts"
import { codeRows } from "./codes.ts"
import { complianceRows } from "./compliance.ts"
import { claimRows } from "./claims.ts"
import { priorAuthRows } from "./priorAuth.ts"
import { evaluationRows } from "./evaluations.ts"
import { criteriaRows } from "./criteria.ts"
import { healthRows } from "./health.ts"
import { payerRows } from "./payers.ts"
import { jurisdictionRows } from "./jurisdictions.ts"
import { comparisonRows } from "./comparisons.ts"
import { changeRows } from "./changes.ts"
import { policyRows } from "./policies.ts"
import { releaseRows } from "./releases.ts"
import { testKeyRows } from "./testKeys.ts"
import { webhookRows } from "./webhooks.ts"

/**
 * Every operation under /api/v1, mirrored under /api/sandbox/v1 (§4, contract §2): one row each. What only
 * one of them has says so.
 */
export const catalogue = {
  ...healthRows,
  ...codeRows,
  ...policyRows,
  ...changeRows,
  ...comparisonRows,
  ...jurisdictionRows,
  ...payerRows,
  ...criteriaRows,
  ...evaluationRows,
  ...priorAuthRows,
  ...claimRows,
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
