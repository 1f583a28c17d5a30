import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Stream from "effect/Stream"
import type { UsageLine } from "../../../core/organization/usage.ts"
import { byDay, byName, totalOf, usageRanges } from "../../../core/organization/usageReport.ts"
import type { UsageGroup, UsageRange } from "../../../core/organization/usageReport.ts"
import * as managing from "../../../core/admin/usage.ts"
import type { LimitsView, UsageView } from "../../../core/admin/usage.ts"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import type { Answer, MemberRequest } from "../Page.ts"
import { notFound, showPage } from "../Page.ts"
import { card, copyable, day, empty, figures, lead, linkButton, number, table, viewLinks } from "../parts.ts"
import { securityHeaders } from "../response.ts"
import { dayChart } from "./dayChart.ts"

/** Shows calls and credits by day, operation, caller and tool, and the limits in force. */
export const showUsage = Effect.fnUntraced(function* (request: MemberRequest) {
  const days = rangeOf(request)
  const view = yield* managing.view(request.actor, days)
  if (view === undefined) return notFound
  return showPage({
    title: "Usage",
    section: "usage",
    body: html`${lead("The calls of your keys and connected apps, and what they cost in credits.")}
${rangeTools(request.home, days)}
${view.lines.length === 0 ? firstCall(request) : report(view)}
${limitsCard(view.limits)}`
  })
})

/** The same as CSV, streamed (§5.5). */
export const downloadUsage = Effect.fnUntraced(function* (request: MemberRequest) {
  const exported = yield* managing.exportUsage(request.actor, rangeOf(request))
  if (exported === undefined) return { _tag: "Forbidden" } satisfies Answer
  const { from, to } = exported.range
  const response = HttpServerResponse.stream(Stream.encodeText(exported.text), {
    contentType: "text/csv; charset=utf-8",
    headers: {
      ...securityHeaders(request),
      "content-disposition": `attachment; filename="usage-${from}-${to}.csv"`
    }
  })
  return { _tag: "Raw", response } satisfies Answer
})

/** In days. */
const defaultRange: UsageRange = 30

const rangeOf = ({ query }: MemberRequest): UsageRange =>
  usageRanges.find((range) => String(range) === query.get("days")) ?? defaultRange

const rangeTools = (home: string, days: UsageRange): Html =>
  html`<div class="tools">${viewLinks(
    "Range",
    usageRanges.map((range) => ({
      href: `${home}/usage?days=${range}`,
      text: `${range} days`,
      isCurrent: range === days
    }))
  )}${linkButton({ href: `${home}/usage.csv?days=${days}`, label: "Download CSV", tone: "quiet" })}</div>`

const firstCall = ({ baseUrl, home }: MemberRequest): Html =>
  empty({
    title: "No calls yet",
    says: html`<a href="${home}/keys">Create a key</a>, replace <code>YOUR_KEY</code> with it, and make your first
call. It appears here within seconds.`,
    action: copyable({ id: "first-call", label: "the command", text: callCommand(baseUrl, "YOUR_KEY") })
  })

/** A call that works on every server, whatever was imported. */
export const callCommand = (baseUrl: string, key: string): string =>
  `curl -H "Authorization: Bearer ${key}" "${baseUrl}/api/v1/jurisdictions"`

const report = ({ isCut, lines, nameOf, range }: UsageView): Html => {
  const days = byDay(lines, range)
  const tools = byName(lines, ({ source, tool }) =>
    source === "mcp" ? (tool ?? "no tool named") : undefined
  )
  return html`${card({ title: "Total", body: html`${totals(lines)}${isCut && truncated}` })}
${card({ title: "Daily", body: html`${dayChart(days)}${daysTable(days)}` })}
<div class="columns">${[
    groupCard({
      title: "By operation",
      column: "Operation",
      groups: byName(lines, ({ operation }) => operation)
    }),
    groupCard({
      title: "By key and app",
      column: "Key or app",
      groups: byName(lines, ({ caller }) => caller),
      label: (caller) => callerLabel(caller, nameOf)
    }),
    ...(tools.length === 0 ? [] : [groupCard({ title: "By MCP tool", column: "Tool", groups: tools })])
  ]}</div>`
}

const totals = (lines: ReadonlyArray<UsageLine>): Html => {
  const { calls, credits, errors } = totalOf(lines)
  const rate = calls === 0 ? 0 : (errors / calls) * 100
  return figures([
    ["Calls", number(calls)],
    ["Credits", number(credits), "a call that fails on our side is free"],
    [
      "Errors",
      number(errors),
      `${rate.toLocaleString("en", { maximumFractionDigits: 1 })}% of calls, status 400 and above`
    ]
  ])
}

const truncated = html`<p class="notice warn">There is too much usage to show here, so the oldest days are incomplete.
The CSV has everything.</p>`

const callerLabel = (caller: string, nameOf: (caller: string) => string): Html => {
  const name = nameOf(caller)
  return name === caller
    ? html`<code>${caller}</code>`
    : html`${name}<br><code class="muted">${caller}</code>`
}

const counts = [
  { title: "Calls", numeric: true },
  { title: "Errors", numeric: true },
  { title: "Credits", numeric: true }
] as const

const cells = ({ calls, credits, errors }: UsageGroup) => [number(calls), number(errors), number(credits)]

/** The numbers of the chart, the newest day first. */
const daysTable = (days: ReadonlyArray<UsageGroup>): Html =>
  html`<details class="more"><summary>Daily breakdown</summary><div class="counts">${table({
    caption: "Calls by day",
    columns: [{ title: "Day (UTC)" }, ...counts],
    rows: days.toReversed().map((one) => [day(one.name), ...cells(one)])
  })}</div></details>`

/** A table with a bar for the calls of each row. */
const groupCard = (parts: {
  readonly title: string
  readonly column: string
  readonly groups: ReadonlyArray<UsageGroup>
  readonly label?: (name: string) => Html
}): Html => {
  const most = Math.max(1, ...parts.groups.map(({ calls }) => calls))
  return card({
    title: parts.title,
    body: html`<div class="counts">${table({
      caption: parts.title.replace("By", "Calls by"),
      columns: [{ title: parts.column }, ...counts],
      rows: parts.groups.map((group) => [
        html`${parts.label?.(group.name) ?? html`<code>${group.name}</code>`}${share(group.calls / most)}`,
        ...cells(group)
      ])
    })}</div>`
  })
}

/** The limits of a call now (§8.1), and what is left of the day. */
const limitsCard = ({ inForce, usedToday, usual }: LimitsView): Html => {
  const perDay = inForce.perDay ?? 0
  return card({
    title: "Limits now",
    says:
      inForce.perMinute < usual.perMinute
        ? `The limit per minute is below your plan’s ${number(usual.perMinute)} because the shared counter is ` +
          "unavailable. It recovers by itself."
        : "All keys and connected apps of the organization share them. A call counts once per credit it costs.",
    body: figures([
      ["Per 60 seconds", number(inForce.perMinute)],
      [
        "Used today (UTC)",
        html`${number(usedToday)}${meter(usedToday / Math.max(1, perDay))}`,
        `of ${number(perDay)}`
      ],
      ["Calls at the same time", number(inForce.concurrent)]
    ])
  })
}

const bar = (kind: string, part: number): Html =>
  html`<svg class="${kind}" aria-hidden="true"><rect class="track" width="100%" height="100%" rx="3"/><rect class="bar${
    kind === "meter" && part >= 1 && " full"
  }" width="${Math.round(Math.min(1, part) * 1_000) / 10}%" height="100%" rx="3"/></svg>`

const share = (part: number): Html => bar("share", part)

/** A part of one as a bar that changes color when it is full. */
export const meter = (part: number): Html => bar("meter", part)
