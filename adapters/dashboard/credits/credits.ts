import * as Effect from "effect/Effect"
import { packNames } from "../../../core/organization/pack.ts"
import * as managing from "../../../core/admin/billing.ts"
import { offers } from "../../../core/admin/purchase.ts"
import { forbidden, notFound, redirectTo, showPage } from "../answer.ts"
import type { Fault } from "../fields.ts"
import type { MemberRequest } from "../Page.ts"
import { memberPage } from "../Page.ts"
import { capMaxText, capTextOf, creditsBody } from "./creditsParts.ts"

const show = (request: MemberRequest) => page(request, undefined, [])

const setCap = Effect.fnUntraced(function* (request: MemberRequest) {
  const text = request.form.text("cap").replaceAll(/[\s,]/g, "")
  const again = page(request, request.form.text("cap"), [{ field: "cap", says: capSays }], 422)
  if (!/^\d{0,10}$/.test(text)) return yield* again
  const said = yield* managing.setOverageCap(request.actor, text === "" ? null : Number(text))
  switch (said._tag) {
    case "Set":
      return redirectTo(`${request.home}/credits`, { says: said.cap === null ? "cap_lifted" : "cap_set" })
    case "NoOverage":
      return redirectTo(`${request.home}/credits`, { says: "no_overage" })
    case "Form":
      return yield* again
    case "Unknown":
      return notFound
    case "Forbidden":
      return forbidden("set_overage_cap")
  }
})

const choosePack = Effect.fnUntraced(function* (request: MemberRequest) {
  const pack = packNames.find((name) => name === request.form.text("pack"))
  if (pack === undefined) return notFound
  const said = yield* managing.choosePack(request.actor, pack)
  switch (said._tag) {
    case "Chosen":
      return redirectTo(`${request.home}/credits`, {
        says: said.organization.nextPack === null ? "pack_kept" : "pack_chosen"
      })
    case "NeedsPayment":
      return redirectTo(`${request.home}/credits`, { says: "pack_needs_payment" })
    case "Unknown":
      return notFound
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
  request: MemberRequest,
  cap: string | undefined,
  faults: ReadonlyArray<Fault>,
  status = 200
) {
  const standing = yield* managing.billingOverview(request.actor)
  if (standing === undefined) return notFound
  const said = yield* offers(request.actor)
  const offer = said._tag === "Forbidden" ? undefined : said
  return showPage({
    status,
    title: "Credits",
    section: "credits",
    body: creditsBody(request, standing, { offer, cap: cap ?? capTextOf(standing.account), faults })
  })
})
