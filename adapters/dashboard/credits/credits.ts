import * as Effect from "effect/Effect"
import { packNames } from "../../../core/organization/pack.ts"
import * as managing from "../../../core/workflow/managing/billing.ts"
import { offers } from "../../../core/workflow/managing/purchasing.ts"
import { forbidden, missing, moved, shown } from "../answer.ts"
import type { Fault } from "../fields.ts"
import type { MemberVisit } from "../Page.ts"
import { memberPage } from "../Page.ts"
import { capMaxText, capTextOf, creditsBody } from "./creditsParts.ts"

const show = (visit: MemberVisit) => page(visit, undefined, [])

const setCap = Effect.fnUntraced(function* (visit: MemberVisit) {
  const text = visit.form.text("cap").replaceAll(/[\s,]/g, "")
  const again = page(visit, visit.form.text("cap"), [{ field: "cap", says: capSays }], 422)
  if (!/^\d{0,10}$/.test(text)) return yield* again
  const said = yield* managing.setOverageCap(visit.actor, text === "" ? null : Number(text))
  switch (said._tag) {
    case "Set":
      return moved(`${visit.home}/credits`, { says: said.cap === null ? "cap_lifted" : "cap_set" })
    case "NoOverage":
      return moved(`${visit.home}/credits`, { says: "no_overage" })
    case "Form":
      return yield* again
    case "Unknown":
      return missing
    case "Forbidden":
      return forbidden("set_overage_cap")
  }
})

const choosePack = Effect.fnUntraced(function* (visit: MemberVisit) {
  const pack = packNames.find((name) => name === visit.form.text("pack"))
  if (pack === undefined) return missing
  const said = yield* managing.choosePack(visit.actor, pack)
  switch (said._tag) {
    case "Chosen":
      return moved(`${visit.home}/credits`, {
        says: said.organization.nextPack === null ? "pack_kept" : "pack_chosen"
      })
    case "NeedsPayment":
      return moved(`${visit.home}/credits`, { says: "pack_needs_payment" })
    case "Unknown":
      return missing
    case "Forbidden":
      return forbidden("choose_pack")
  }
})

/** Credits, overage and packs of an organization (contract §1, Limits and money). */
export const creditsPages = [
  memberPage({ method: "GET", path: "/dashboard/:organization/credits", answer: show }),
  memberPage({
    method: "POST",
    path: "/dashboard/:organization/credits/cap",
    permission: "set_overage_cap",
    answer: setCap
  }),
  memberPage({
    method: "POST",
    path: "/dashboard/:organization/credits/pack",
    permission: "choose_pack",
    answer: choosePack
  })
] as const

const capSays = `Write a whole number up to ${capMaxText}, or leave it empty for no cap.`

const page = Effect.fnUntraced(function* (
  visit: MemberVisit,
  cap: string | undefined,
  faults: ReadonlyArray<Fault>,
  status = 200
) {
  const standing = yield* managing.standing(visit.actor)
  if (standing === undefined) return missing
  const said = yield* offers(visit.actor)
  const offer = said._tag === "Forbidden" ? undefined : said
  return shown({
    status,
    title: "Credits",
    section: "credits",
    body: creditsBody(visit, standing, { offer, cap: cap ?? capTextOf(standing.account), faults })
  })
})
