import type { Account } from "../../../core/organization/Account.ts"
import { available } from "../../../core/organization/Account.ts"
import type { Organization } from "../../../core/organization/Organization.ts"
import { overageCapMax, packNames, packs, purchase } from "../../../core/organization/pack.ts"
import type { Pack, PackName } from "../../../core/organization/pack.ts"
import { may } from "../../../core/organization/role.ts"
import type { Offer } from "../../../core/port/Payments.ts"
import type { BillingOverview } from "../../../core/admin/billing.ts"
import { isoTimeOf } from "../../../core/coverage/date.ts"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import { whoMay } from "../answer.ts"
import type { Fault } from "../fields.ts"
import { actionButton, form, textField } from "../formParts.ts"
import type { MemberRequest } from "../Page.ts"
import { card, day, figures, lead, number, pill, table } from "../parts.ts"
import { meter } from "../usage/usageParts.ts"

/** The page of the credits: what is there by source, the cap on overage, the packs and how to get them. */
export const creditsBody = (
  request: MemberRequest,
  { account, organization }: BillingOverview,
  more: { readonly offer: Offer | undefined; readonly cap: string; readonly faults: ReadonlyArray<Fault> }
): Html => html`${lead(
  html`Every call spends credits: the month’s allowance first, then credits you bought and starter credits, then overage
where the pack has it. A call that fails on our side costs none. What was spent on what is on the <a
href="${request.home}/usage">usage page</a>.`
)}
${balanceCard(account)}
${packs[organization.pack].overagePriceMills === null ? html`` : overageCard(request, account, more)}
${packsCard(request, organization, account)}
${buyingCard(request, more.offer)}`

const balanceCard = (account: Account): Html => {
  const { monthlyAllowance } = packs[account.pack]
  const used = Math.max(0, monthlyAllowance - account.allowance)
  return card({
    title: "Credits left",
    body: figures([
      { name: "In all", value: number(available(account)), says: "before any overage" },
      ...(monthlyAllowance === 0
        ? []
        : [
            {
              name: "Of this month’s allowance",
              value: html`${number(account.allowance)}${meter(used / monthlyAllowance)}`,
              says: `${number(used)} of ${number(monthlyAllowance)} used; renews on ${renewalDay(account)}`
            }
          ]),
      {
        name: "Bought, given and starter",
        value: number(account.purchased),
        says: "stay until they are spent"
      }
    ])
  })
}

const overageCard = (
  request: MemberRequest,
  account: Account,
  { cap, faults }: { readonly cap: string; readonly faults: ReadonlyArray<Fault> }
): Html => {
  const price = packs[account.pack].overagePriceMills ?? 0
  const { overageCap, overageUsed } = account
  return card({
    title: "Overage this month",
    id: "overage",
    says: html`When all credits are spent, calls go on at ${money(price)} a credit, up to your cap. It begins anew on
${renewalDay(account)}.`,
    body: html`${figures([
      { name: "Used", value: number(overageUsed), says: `${money(price * overageUsed)} so far` },
      {
        name: "Cap",
        value: overageCap === null ? "None" : number(overageCap),
        says: overageCap === null ? "calls are never stopped" : `at most ${money(price * overageCap)} a month`
      }
    ])}${
      may(request.actor.role, "set_overage_cap")
        ? capForm(request, cap, faults)
        : html`<p class="muted">${whoMay("set_overage_cap")}</p>`
    }`
  })
}

const capForm = (request: MemberRequest, cap: string, faults: ReadonlyArray<Fault>): Html =>
  form({
    action: `${request.home}/credits/cap`,
    submit: "Set the cap",
    layout: "across",
    faults,
    fields: [
      textField({
        name: "cap",
        label: "Overage a month, in credits",
        value: cap,
        optional: true,
        hint: "0 stops calls when the credits are spent; leave it empty for no cap.",
        faults
      })
    ]
  })

const packsCard = (request: MemberRequest, organization: Organization, account: Account): Html =>
  card({
    title: "Packs",
    id: "packs",
    says: packsSay(organization, renewalDay(account)),
    body: html`<div class="packs">${table({
      caption: "Packs and what they hold",
      columns: [{ title: "Pack" }, ...packNames.map((name) => ({ title: packs[name].title }))],
      rows: [
        ...packFacts.map(({ title, of }) => [title, ...packNames.map((name) => of(packs[name]))]),
        ["Yours", ...packNames.map((name) => packState(request, organization, name))]
      ]
    })}</div>`
  })

const packsSay = ({ nextPack, pack }: Organization, renewal: string): string =>
  nextPack === null
    ? `You are on ${packs[pack].title}. A higher pack begins at once, a lower one on ${renewal}.`
    : `You are on ${packs[pack].title}; ${packs[nextPack].title} begins on ${renewal}.`

const packFacts: ReadonlyArray<{ readonly title: string; readonly of: (pack: Pack) => string }> = [
  {
    title: "Price",
    of: ({ monthlyPriceMills }) =>
      monthlyPriceMills === 0
        ? `${money(purchase.priceMills)} for ${number(purchase.credits)} credits`
        : `${money(monthlyPriceMills)} a month`
  },
  {
    title: "Credits a month",
    of: ({ monthlyAllowance }) => (monthlyAllowance === 0 ? "–" : number(monthlyAllowance))
  },
  {
    title: "Beyond them",
    of: ({ overagePriceMills }) =>
      overagePriceMills === null ? "stops at zero" : `${money(overagePriceMills)} each`
  },
  { title: "Calls a minute", of: ({ requestsPerMinute }) => number(requestsPerMinute) },
  { title: "Calls a day", of: ({ requestsPerDay }) => number(requestsPerDay) },
  { title: "Webhooks", of: ({ webhooks }) => (webhooks ? "yes" : "no") }
]

const rank = (name: PackName): number => packNames.indexOf(name)

const packState = (request: MemberRequest, organization: Organization, name: PackName): Html => {
  const choose = (label: string, says: string): Html =>
    may(request.actor.role, "choose_pack")
      ? actionButton({
          action: `${request.home}/credits/pack`,
          label,
          says,
          hidden: { pack: name },
          tone: "quiet"
        })
      : html``
  if (name === organization.pack)
    return organization.nextPack === null
      ? pill("in force", "good")
      : html`${pill("in force", "good")} ${choose("Keep", `Keep the pack ${packs[name].title}`)}`
  if (name === organization.nextPack) return pill("chosen", "warn")
  return rank(name) < rank(organization.pack)
    ? choose("Choose", `Choose ${packs[name].title} for the renewal`)
    : html``
}

const buyingCard = (request: MemberRequest, offer: Offer | undefined): Html =>
  card({
    title: "Buy credits or a higher pack",
    id: "buy",
    body: buySection(request, offer)
  })

const buySection = (request: MemberRequest, offer: Offer | undefined): Html => {
  switch (offer?._tag) {
    case "Checkout":
      return html`<p>Payment is made with our seller, and the credits are here as soon as it is through.</p>
<div class="actions"><a class="button primary" href="${offer.url}">Go to the checkout</a></div>`
    case "AskSupport":
      return html`<p>Nothing is sold on this page: ask for what you need, and name your organization’s id,
<code>${request.actor.organizationId}</code>.</p>
<div class="actions"><a class="button primary" href="${offer.url}">Ask support</a></div>`
    case undefined:
      return html`<p>${whoMay("choose_pack")} Ask one of them to buy what you need.</p>`
  }
}

const renewalDay = ({ renewsAtMs }: Account): string => day(isoTimeOf(renewsAtMs))

/** Tenths of a US cent, as a price is written. */
export const money = (mills: number): string =>
  `$${(mills / 1_000).toLocaleString("en", {
    minimumFractionDigits: mills % 1_000 === 0 ? 0 : 2,
    maximumFractionDigits: 3
  })}`

/** What the form of the cap holds, and the largest it takes. */
export const capTextOf = ({ overageCap }: Account): string => (overageCap === null ? "" : String(overageCap))
export const capMaxText = number(overageCapMax)
