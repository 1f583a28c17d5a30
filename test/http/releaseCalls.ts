import type { ErrorBody } from "./harness.ts"
import { diagnoses, documentOf, procedure } from "../kit/library.ts"

/** Six policies that list the same codes, one of them in two systems, and a payer's own. */
export const documents = [
  ...["L7", "L10", "L9", "A2", "NCD 1", "L8"].map((policyId) =>
    documentOf({ policyId, codeGroups: [procedure("E0601", "A0100"), diagnoses("A0100")] })
  ),
  documentOf({
    policyId: "NS-1",
    codeGroups: [procedure("E0601")],
    policy: { policyId: "NS-1", policyType: "PayerPolicy", payerCode: "northstar", lineOfBusiness: null }
  } as never)
]

/** A call of the operation: another release, another key, other headers. */
export interface ReleaseRequest {
  readonly id?: string
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** What a success holds. */
export interface Body {
  readonly data: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly meta: Readonly<Record<string, unknown>> & {
    readonly pagination: { readonly cursor: string | null; readonly has_more: boolean }
  }
}

export const bodyOf = async (response: Response) => (await response.json()) as Body
export const codeOf = async (response: Response) => ((await response.json()) as ErrorBody).error.code

/** An answer without the two members that no two answers share. */
export const steady = async (response: Response): Promise<string> =>
  (await response.text()).replace(/"request_id":"[^"]+","timestamp":"[^"]+"/, "")
