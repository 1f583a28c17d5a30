import * as Effect from "effect/Effect"
import type { Jurisdiction } from "../coverage/Jurisdiction.ts"
import { canonicalJurisdiction } from "../coverage/place.ts"
import { refused } from "../error/Refusal.ts"
import type { JurisdictionView } from "../operation/jurisdictions.ts"
import { Payers } from "../port/Payers.ts"
import type { Handler } from "./Handler.ts"

/** GET /jurisdictions and /jurisdictions/{code} (contract §2). */
export const makeJurisdictionHandlers = Effect.gen(function* () {
  const jurisdictions = yield* Payers

  const listJurisdictions: Handler<"listJurisdictions"> = () =>
    Effect.map(jurisdictions.jurisdictions, (all) => ({ _tag: "Data", data: all.map(jurisdictionView) }))

  const getJurisdiction: Handler<"getJurisdiction"> = ({ params }) =>
    Effect.map(jurisdictions.jurisdictions, (all) => {
      const code = canonicalJurisdiction(params.code)
      const found = all.find((one) => one.jurisdictionCode === code)
      return found === undefined
        ? refused("RESOURCE_JURISDICTION_NOT_FOUND", undefined, jurisdictionHint)
        : { _tag: "Data", data: jurisdictionView(found) }
    })

  return { listJurisdictions, getJurisdiction } as const
})

const jurisdictionView = (jurisdiction: Jurisdiction): JurisdictionView => ({
  mac_name: jurisdiction.macName,
  mac_code: jurisdiction.macCode,
  jurisdiction_code: jurisdiction.jurisdictionCode,
  jurisdiction_name: jurisdiction.jurisdictionName,
  states: jurisdiction.states,
  mac_type: jurisdiction.macType,
  website_url: jurisdiction.websiteUrl
})

const jurisdictionHint = "Use a jurisdiction such as JH or DME JA; GET /api/v1/jurisdictions lists them."
