import { packNames, packs, purchase, sandboxLimits, starterCredits } from "../../core/organization/pack.ts"
import type { Pack } from "../../core/organization/pack.ts"
import { page, table } from "./markdown.ts"

/** docs/reference/packs.md: limits, allowances and prices of the packs (§8.1). */
export const packsPage = (): string =>
  page("Packs", "core/organization/pack.ts", [
    "Limits count cost units: a call of 6 credits uses 6 of each. A new organization has" +
      ` ${counted(starterCredits)} starter credits;` +
      ` ${counted(purchase.credits)} more cost ${dollars(purchase.priceMills)}.` +
      " The monthly allowance is spent first, then purchased and starter credits, then overage.",
    table(
      ["", ...packNames.map((name) => packs[name].title)],
      rows.map(({ says, show }) => [says, ...packNames.map((name) => show(packs[name]))])
    ),
    `Each test key of the sandbox has ${sandboxLimits.perMinute} a minute,` +
      ` ${sandboxLimits.concurrent} calls in flight,` +
      " no daily quota, and spends no credits."
  ])

interface Row {
  readonly says: string
  readonly show: (pack: Pack) => string
}

const rows: ReadonlyArray<Row> = [
  { says: "Per minute (sliding)", show: (pack) => counted(pack.requestsPerMinute) },
  { says: "Per day (UTC)", show: (pack) => counted(pack.requestsPerDay) },
  { says: "Calls in flight", show: (pack) => counted(pack.concurrentCalls) },
  {
    says: "Credits a month",
    show: (pack) => (pack.monthlyAllowance === 0 ? "none" : counted(pack.monthlyAllowance))
  },
  {
    says: "Price a month",
    show: (pack) => (pack.monthlyPriceMills === 0 ? "none" : dollars(pack.monthlyPriceMills))
  },
  {
    says: "Each credit beyond",
    show: (pack) =>
      pack.overagePriceMills === null ? "none: it stops at zero" : dollars(pack.overagePriceMills)
  },
  { says: "Webhooks", show: (pack) => (pack.webhooks ? "yes" : "no") }
]

const counted = (count: number): string => count.toLocaleString("en-US")

/** A mill is a tenth of a cent. */
const dollars = (mills: number): string => {
  const wholeCents = mills % 10 === 0
  const digits = mills % 1_000 === 0 ? 0 : wholeCents ? 2 : 3
  return `$${(mills / 1_000).toLocaleString("en-US", { minimumFractionDigits: digits })}`
}
