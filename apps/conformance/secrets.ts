import { shapeOf } from "../../core/operation/shape.ts"
import type { Shape } from "../../core/operation/shape.ts"
import type { Operation } from "../../core/operation/Operation.ts"
import { unless } from "./request.ts"
import type { CheckResponse } from "./request.ts"

/** Texts that open something: a webhook's secret and a key, each by its whole form. */
const secretTexts = {
  secret: /whsec_[A-Za-z0-9+/=]{3,}/,
  key: /svc_(live|test)_[0-9A-Za-z]{27}_[0-9A-Za-z]{4}/
} as const

/** Whether a text must not be printed, whatever a fault is about. */
export const isSecret = (text: string): boolean =>
  Object.values(secretTexts).some((pattern) => pattern.test(text))

/**
 * Answers may gain members (docs/promises.md), but none that opens something: a secret and a key stand only
 * where the row declares a member of that name. Of an error no row is given.
 */
export const secretFaults = (
  row: Operation | undefined,
  { json, text }: CheckResponse
): ReadonlyArray<string> => {
  const declared = namesOf(row?.success === undefined ? undefined : shapeOf(row.success))
  return [
    ...unless(declared.has("secret") || !hasMember(json, "secret"), "a member `secret` is shown"),
    ...unless(declared.has("secret") || !secretTexts.secret.test(text), "a webhook's secret is shown"),
    ...unless(declared.has("key") || !secretTexts.key.test(text), "a key is shown")
  ]
}

const namesOf = (shape: Shape | undefined): ReadonlySet<string> =>
  new Set(shape === undefined ? [] : shape.members.keys())

const hasMember = (value: unknown, name: string): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.entries(value).some(([own, inner]) => own === name || hasMember(inner, name))
