import { diagnosisMutations, modifierMutations, procedureMutations } from "./codeMutations.ts"

/** A place where a code is sent: what to send, and where its fault is reported. */
export interface Place {
  readonly path: string
  readonly body?: (code: string) => object
  readonly at: string
}

const evaluated = (parameters: object) => ({ policy_id: "A56000", parameters })
export const filter = (name: string): Place => ({ path: `/policies?${name}=`, at: `/query/${name}` })

export const procedurePlaces: ReadonlyArray<Place> = [
  {
    path: "/prior-auth/check",
    body: (code) => ({ procedure_codes: ["64635", code], state: "TX", payer: "medicare" }),
    at: "/body/procedure_codes/1"
  },
  {
    path: "/claims/validate",
    body: (code) => ({ procedure_codes: [code, "64635"] }),
    at: "/body/procedure_codes/0"
  },
  {
    path: "/claims/validate",
    body: (code) => ({ procedure_codes: ["64635"], units: { "64635": 1, [code]: 2 } }),
    at: "/body/units"
  },
  {
    path: "/coverage/evaluate",
    body: (code) => evaluated({ procedure_code: code }),
    at: "/body/parameters/procedure_code"
  },
  { path: "/policies/compare", body: (code) => ({ procedure_codes: [code] }), at: "/body/procedure_codes/0" },
  filter("procedure_code"),
  { path: "/policies?format=csv&procedure_code=", at: "/query/procedure_code" }
]

export const diagnosisPlaces: ReadonlyArray<Place> = [
  {
    path: "/prior-auth/check",
    body: (code) => ({ procedure_codes: ["64635"], diagnosis_codes: ["I10", code] }),
    at: "/body/diagnosis_codes/1"
  },
  {
    path: "/claims/validate",
    body: (code) => ({ procedure_codes: ["64635"], diagnosis_codes: [code] }),
    at: "/body/diagnosis_codes/0"
  },
  {
    path: "/coverage/evaluate",
    body: (code) => evaluated({ diagnosis_codes: [code] }),
    at: "/body/parameters/diagnosis_codes/0"
  },
  filter("icd10")
]

export const modifierPlaces: ReadonlyArray<Place> = [
  {
    path: "/claims/validate",
    body: (code) => ({ procedure_codes: ["64635"], modifiers: ["RT", code] }),
    at: "/body/modifiers/1"
  },
  {
    path: "/coverage/evaluate",
    body: (code) => evaluated({ modifier: code }),
    at: "/body/parameters/modifier"
  }
]

/** The same of the tools at /mcp, with the mutations to send. */
export const toolPlaces: ReadonlyArray<{
  readonly name: string
  readonly input: (code: string) => object
  readonly at: string
  readonly texts: ReadonlyArray<string>
}> = [
  {
    name: "prior_auth_check",
    input: (code) => ({ procedure_codes: [code] }),
    at: "/arguments/procedure_codes/0",
    texts: procedureMutations
  },
  {
    name: "claim_validation",
    input: (code) => ({ procedure_codes: ["64635"], diagnosis_codes: [code] }),
    at: "/arguments/diagnosis_codes/0",
    texts: diagnosisMutations
  },
  {
    name: "claim_validation",
    input: (code) => ({ procedure_codes: ["64635"], modifiers: [code] }),
    at: "/arguments/modifiers/0",
    texts: modifierMutations
  },
  {
    name: "policy_research",
    input: (code) => ({ procedure_code: code }),
    at: "/arguments/procedure_code",
    texts: procedureMutations
  },
  {
    name: "policy_research",
    input: (code) => ({ icd10: code }),
    at: "/arguments/icd10",
    texts: diagnosisMutations
  }
]
