import type { UsageGroup } from "../../../core/organization/usageReport.ts"
import { usageRanges } from "../../../core/organization/usageReport.ts"
import type { UsageRange } from "../../../core/organization/usageReport.ts"
import type { LimitsView } from "../../../core/admin/usage.ts"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import { card, copyable, day, empty, figures, number, table } from "../parts.ts"

/** Links to the ranges, and the download of the one that is shown. */
export const rangeTools = (home: string, days: UsageRange): Html =>
  html`<div class="tools"><nav class="ranges" aria-label="Range">${usageRanges.map(
    (range) =>
      html`<a href="${home}/usage?days=${range}"${
        range === days ? html` aria-current="true"` : html``
      }>${range} days</a>`
  )}</nav><a class="button quiet" href="${home}/usage.csv?days=${days}">Download as CSV</a></div>`

/** The table beneath the chart: the same figures, the newest day first. */
export const daysTable = (days: ReadonlyArray<UsageGroup>): Html =>
  html`<details class="more"><summary>Every day in figures</summary><div class="counts">${table({
    caption: "Calls by day",
    columns: [{ title: "Day (UTC)" }, ...counts],
    rows: days.toReversed().map((one) => [day(one.name), ...cells(one)])
  })}</div></details>`

/** A table whose first figures are drawn as bars too. */
export const groupTable = (parts: {
  readonly caption: string
  readonly title: string
  readonly groups: ReadonlyArray<UsageGroup>
  readonly label?: (name: string) => string | Html
}): Html => {
  const most = Math.max(1, ...parts.groups.map(({ calls }) => calls))
  return html`<div class="counts">${table({
    caption: parts.caption,
    columns: [{ title: parts.title }, ...counts],
    rows: parts.groups.map((group) => [
      html`${parts.label?.(group.name) ?? html`<code>${group.name}</code>`}${share(group.calls / most)}`,
      ...cells(group)
    ])
  })}</div>`
}

/** What a call meets now (§8.1), and what is left of the day. */
export const limitsCard = ({ inForce, usedToday, usual }: LimitsView): Html => {
  const perDay = inForce.perDay ?? 0
  const isHalved = inForce.perMinute < usual.perMinute
  return card({
    title: "Limits in force now",
    says: isHalved
      ? html`The minute’s limit is lower than your pack’s ${number(usual.perMinute)} while the store that counts for all
servers is away. It returns by itself.`
      : "All keys and connected apps of the organization share them. A call uses as much as its credits.",
    body: figures([
      { name: "In any 60 seconds", value: number(inForce.perMinute) },
      {
        name: "Used today (UTC)",
        value: html`${number(usedToday)}${meter(usedToday / Math.max(1, perDay))}`,
        says: `of ${number(perDay)}`
      },
      { name: "Calls at the same time", value: number(inForce.concurrent) }
    ])
  })
}

/** What to do until there is a call to show; the line works as soon as the key stands in it. */
export const firstCall = (request: { readonly home: string; readonly baseUrl: string }): Html =>
  empty({
    title: "No calls yet",
    says: html`<a href="${request.home}/keys">Create a key</a>, put it in place of <code>YOUR_KEY</code>, and make
your first call. It shows here within seconds.`,
    action: copyable({ id: "first-call", label: "the command", text: callLine(request.baseUrl, "YOUR_KEY") })
  })

/** A call that answers on any server, whatever was imported. */
export const callLine = (baseUrl: string, key: string): string =>
  `curl -H "Authorization: Bearer ${key}" "${baseUrl}/api/v1/jurisdictions"`

const counts = [
  { title: "Calls", numeric: true },
  { title: "Errors", numeric: true },
  { title: "Credits", numeric: true }
] as const

const cells = ({ calls, credits, errors }: UsageGroup) => [number(calls), number(errors), number(credits)]

/** A part of one, drawn. */
const share = (part: number): Html =>
  html`<svg class="share" aria-hidden="true"><rect class="track" width="100%" height="100%" rx="3"/><rect class="bar"
width="${Math.round(Math.min(1, part) * 1_000) / 10}%" height="100%" rx="3"/></svg>`

export const meter = (part: number): Html =>
  html`<svg class="meter" aria-hidden="true"><rect class="track" width="100%" height="100%" rx="3"/><rect class="bar${
    part >= 1 ? " full" : ""
  }" width="${Math.round(Math.min(1, part) * 1_000) / 10}%" height="100%" rx="3"/></svg>`
