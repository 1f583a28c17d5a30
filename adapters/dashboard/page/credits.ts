import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { isoTimeOf } from "../../../core/coverage/date.ts"
import type { Account } from "../../../core/organization/Account.ts"
import { available } from "../../../core/organization/Account.ts"
import type { Organization } from "../../../core/organization/Organization.ts"
import { overageCapMax, packNames, packs, purchase } from "../../../core/organization/pack.ts"
import type { Pack, PackName } from "../../../core/organization/pack.ts"
import { may } from "../../../core/organization/role.ts"
import type { Offer } from "../../../core/port/Payments.ts"
import * as managing from "../../../core/admin/billing.ts"
import { offers } from "../../../core/admin/purchase.ts"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import type { Field, FormState } from "../form.ts"
import { actionButton, makeForm, newForm, rejectForm } from "../form.ts"
import type { MemberRequest } from "../Page.ts"
import { notFound, redirectTo, showPage } from "../Page.ts"
import {
  actions,
  card,
  day,
  figures,
  lead,
  linkButton,
  small,
  number,
  pill,
  table,
  whoMay
} from "../parts.ts"
import { meter } from "./usage.ts"

const capRule = `Enter a whole number up to ${number(overageCapMax)}, or leave it empty for no cap.`

const capField: Field<number | null> = {
  label: "Overage per month, in credits",
  hint: "0 stops calls when the credits are spent. Leave it empty for no cap.",
  control: { type: "text", optional: true },
  parse: (sent, name) => {
    const text = sent.text(name).replaceAll(/[\s,]/g, "")
    if (!/^\d{0,10}$/.test(text)) return Result.fail(capRule)
    return Result.succeed(text === "" ? null : Number(text))
  }
}

const capForm = makeForm("Set the cap", { cap: capField })

/** Shows the balance, the overage, the plans, and how to buy. */
export const showCredits = (request: MemberRequest) => page(request)

/** Caps the overage of a month. */
export const setCap = Effect.fnUntraced(function* (request: MemberRequest) {
  const input = capForm.parse(request.form)
  if (Result.isFailure(input)) return yield* page(request, input.failure)
  const result = yield* managing.setOverageCap(request.actor, input.success.cap)
  switch (result._tag) {
    case "Set":
      return redirectTo(`${request.home}/credits`, result.cap === null ? "cap_removed" : "cap_set")
    case "NoOverage":
      return redirectTo(`${request.home}/credits`, "no_overage")
    case "Form":
      return yield* page(request, rejectForm(request.form, { field: "cap", says: capRule }))
    case "Unknown":
    case "Forbidden":
      return result
  }
})

/** Chooses a lower plan for the renewal, or keeps the current one. */
export const choosePlan = Effect.fnUntraced(function* ({ actor, form, home }: MemberRequest) {
  const pack = packNames.find((name) => name === form.text("pack"))
  if (pack === undefined) return notFound
  const result = yield* managing.choosePack(actor, pack)
  switch (result._tag) {
    case "Chosen":
      return redirectTo(
        `${home}/credits`,
        result.organization.nextPack === null ? "plan_kept" : "plan_chosen"
      )
    case "NeedsPayment":
      return redirectTo(`${home}/credits`, "plan_needs_payment")
    case "Unknown":
    case "Forbidden":
      return result
  }
})

const page = Effect.fnUntraced(function* (request: MemberRequest, state?: FormState) {
  const overview = yield* managing.billingOverview(request.actor)
  if (overview === undefined) return notFound
  const offer = yield* offers(request.actor)
  const { account, organization } = overview
  const cap = newForm({ cap: account.overageCap === null ? "" : String(account.overageCap) })
  return showPage({
    ...state?.response,
    title: "Credits",
    section: "credits",
    body: html`${lead(
      html`Every call spends credits: first the monthly allowance, then purchased and starter credits, then overage if
the plan has it. A call that fails on our side is free. The <a href="${request.home}/usage">usage page</a> shows what
was spent.`
    )}
${balanceCard(account)}
${packs[organization.pack].overagePriceMills !== null && overageCard(request, account, state ?? cap)}
${plansCard(request, organization, account)}
${card({ title: "Buy credits or a higher plan", id: "buy", body: purchaseHtml(request, offer) })}`
  })
})

const balanceCard = (account: Account): Html => {
  const { monthlyAllowance } = packs[account.pack]
  const used = Math.max(0, monthlyAllowance - account.allowance)
  const allowance = [
    "Monthly allowance",
    html`${number(account.allowance)}${meter(used / monthlyAllowance)}`,
    `${number(used)} of ${number(monthlyAllowance)} used; renews on ${renewalDay(account)}`
  ] as const
  return card({
    title: "Credits left",
    body: figures([
      ["Total", number(available(account)), "before any overage"],
      ...(monthlyAllowance === 0 ? [] : [allowance]),
      ["Purchased and starter", number(account.purchased), "stay until they are spent"]
    ])
  })
}

const overageCard = (request: MemberRequest, account: Account, state: FormState): Html => {
  const price = packs[account.pack].overagePriceMills ?? 0
  const { overageCap, overageUsed } = account
  return card({
    title: "Overage this month",
    id: "overage",
    says: html`When all credits are spent, calls continue at ${money(price)} per credit, up to your cap. It starts again
on ${renewalDay(account)}.`,
    body: html`${figures([
      ["Used", number(overageUsed), `${money(price * overageUsed)} so far`],
      overageCap === null
        ? ["Cap", "None", "calls never stop"]
        : ["Cap", number(overageCap), `at most ${money(price * overageCap)} per month`]
    ])}${
      may(request.actor.role, "set_overage_cap")
        ? capForm.render(state, { action: `${request.home}/credits/cap`, layout: "across" })
        : small(whoMay("set_overage_cap"))
    }`
  })
}

const plansCard = (request: MemberRequest, organization: Organization, account: Account): Html => {
  const { nextPack, pack } = organization
  const renewal = renewalDay(account)
  return card({
    title: "Plans",
    id: "packs",
    says: `You are on ${packs[pack].title}${
      nextPack === null
        ? `. A higher plan starts at once, a lower one on ${renewal}.`
        : `; ${packs[nextPack].title} starts on ${renewal}.`
    }`,
    body: html`<div class="packs">${table({
      caption: "Plans compared",
      columns: [{ title: "Plan" }, ...packNames.map((name) => ({ title: packs[name].title }))],
      rows: [
        ...planFacts.map(([title, of]) => [title, ...packNames.map((name) => of(packs[name]))]),
        ["Your plan", ...packNames.map((name) => planStatus(request, organization, name))]
      ]
    })}</div>`
  })
}

const planFacts: ReadonlyArray<readonly [title: string, of: (pack: Pack) => string]> = [
  [
    "Price",
    ({ monthlyPriceMills }) =>
      monthlyPriceMills === 0
        ? `${money(purchase.priceMills)} for ${number(purchase.credits)} credits`
        : `${money(monthlyPriceMills)} per month`
  ],
  ["Credits per month", ({ monthlyAllowance }) => (monthlyAllowance === 0 ? "–" : number(monthlyAllowance))],
  [
    "Overage",
    ({ overagePriceMills }) =>
      overagePriceMills === null ? "stops at zero" : `${money(overagePriceMills)} each`
  ],
  ["Calls per minute", ({ requestsPerMinute }) => number(requestsPerMinute)],
  ["Calls per day", ({ requestsPerDay }) => number(requestsPerDay)],
  ["Webhooks", ({ webhooks }) => (webhooks ? "yes" : "no")]
]

const rank = (name: PackName): number => packNames.indexOf(name)

const planStatus = (request: MemberRequest, { nextPack, pack }: Organization, name: PackName): Html => {
  const choose = (label: string, says: string): Html | undefined =>
    may(request.actor.role, "choose_pack")
      ? actionButton({
          ...{ action: `${request.home}/credits/pack`, label, says },
          ...{ hidden: { pack: name }, tone: "quiet" }
        })
      : undefined
  const { title } = packs[name]
  if (name === pack)
    return html`${pill("current", "good")} ${nextPack !== null && choose("Keep", `Keep the ${title} plan`)}`
  if (name === nextPack) return pill("chosen", "warn")
  return html`${rank(name) < rank(pack) && choose("Choose", `Choose ${title} for the renewal`)}`
}

const purchaseHtml = ({ actor }: MemberRequest, offer: Offer | { readonly _tag: "Forbidden" }): Html => {
  switch (offer._tag) {
    case "Checkout":
      return html`<p>You pay on the site of our payment provider. The credits arrive as soon as the payment is
complete.</p>
${actions(linkButton({ href: offer.url, label: "Go to checkout", tone: "primary" }))}`
    case "AskSupport":
      return html`<p>Contact us to change your plan or buy credits. Include your organization ID,
<code>${actor.organizationId}</code>.</p>
${actions(linkButton({ href: offer.url, label: "Contact support", tone: "primary" }))}`
    case "Forbidden":
      return html`<p>${whoMay("choose_pack")} Ask one of them to buy what you need.</p>`
  }
}

const renewalDay = ({ renewsAtMs }: Account): string => day(isoTimeOf(renewsAtMs))

/** Tenths of a US cent as a price. */
const money = (mills: number): string =>
  `$${(mills / 1_000).toLocaleString("en", {
    minimumFractionDigits: mills % 1_000 === 0 ? 0 : 2,
    maximumFractionDigits: 3
  })}`
