import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Stream from "effect/Stream"
import type { UsageLine } from "../../../core/organization/usage.ts"
import { byDay, byName, totalOf, usageRanges } from "../../../core/organization/usageReport.ts"
import type { UsageRange } from "../../../core/organization/usageReport.ts"
import * as managing from "../../../core/admin/usage.ts"
import type { UsageView } from "../../../core/admin/usage.ts"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import { forbidden, notFound, raw, showPage } from "../answer.ts"
import type { MemberRequest } from "../Page.ts"
import { memberPage } from "../Page.ts"
import { card, figures, lead, number } from "../parts.ts"
import { isHttps } from "../handlePage.ts"
import { securityHeaders } from "../securityHeaders.ts"
import { dayChart } from "./dayChart.ts"
import { daysTable, firstCall, groupTable, limitsCard, rangeTools } from "./usageParts.ts"

const show = Effect.fnUntraced(function* (request: MemberRequest) {
  const days = rangeOf(request)
  const view = yield* managing.view(request.actor, days)
  if (view === undefined) return notFound
  return showPage({
    title: "Usage",
    section: "usage",
    body: html`${lead("What your keys and connected apps have called, and what it cost in credits.")}
${rangeTools(request.home, days)}
${view.lines.length === 0 ? firstCall(request) : report(view)}
${limitsCard(view.limits)}`
  })
})

const download = Effect.fnUntraced(function* (request: MemberRequest) {
  const exported = yield* managing.exportUsage(request.actor, rangeOf(request))
  if (exported === undefined) return forbidden("export_usage")
  const { from, to } = exported.range
  return raw(
    HttpServerResponse.stream(Stream.encodeText(exported.text), {
      contentType: "text/csv; charset=utf-8",
      headers: {
        ...securityHeaders({
          requestId: request.requestId,
          isHttps: isHttps(request.baseUrl),
          formOrigins: []
        }),
        "content-disposition": `attachment; filename="usage-${from}-${to}.csv"`
      }
    })
  )
})

/** Usage of an organization: charts, tables and the export. */
export const usagePages = [
  memberPage({ method: "GET", path: "/dashboard/:organization/usage", answer: show }),
  memberPage({
    method: "GET",
    path: "/dashboard/:organization/usage.csv",
    permission: "export_usage",
    answer: download
  })
] as const

const usualRange: UsageRange = 30

const rangeOf = ({ query }: MemberRequest): UsageRange =>
  usageRanges.find((range) => String(range) === query.get("days")) ?? usualRange

const report = ({ isCut, lines, nameOf, range }: UsageView): Html => {
  const days = byDay(lines, range)
  return html`${card({ title: "In all", body: html`${totals(lines)}${isCut ? cut : html``}` })}
${card({ title: "By day", body: html`${dayChart(days)}${daysTable(days)}` })}
<div class="columns">${card({
    title: "By operation",
    body: groupTable({
      caption: "Calls by operation",
      title: "Operation",
      groups: byName(lines, ({ operation }) => operation)
    })
  })}${card({
    title: "By key and app",
    body: groupTable({
      caption: "Calls by key and app",
      title: "Key or app",
      groups: byName(lines, ({ caller }) => caller),
      label: (caller) => callerLabel(caller, nameOf)
    })
  })}${tools(lines)}</div>`
}

const totals = (lines: ReadonlyArray<UsageLine>): Html => {
  const { calls, credits, errors } = totalOf(lines)
  const rate = calls === 0 ? 0 : (errors / calls) * 100
  return figures([
    { name: "Calls", value: number(calls) },
    { name: "Credits", value: number(credits), says: "a call that fails on our side costs none" },
    {
      name: "Errors",
      value: number(errors),
      says: `${rate.toLocaleString("en", { maximumFractionDigits: 1 })} % of calls, 400 and above`
    }
  ])
}

const cut = html`<p class="notice warn">There is more than this page reads: the oldest days are not complete here.
The CSV has everything.</p>`

const callerLabel = (caller: string, nameOf: (caller: string) => string): Html => {
  const name = nameOf(caller)
  return name === caller
    ? html`<code>${caller}</code>`
    : html`${name}<br><code class="muted">${caller}</code>`
}

const tools = (lines: ReadonlyArray<UsageLine>): Html => {
  const groups = byName(lines, ({ source, tool }) =>
    source === "mcp" ? (tool ?? "no tool named") : undefined
  )
  return groups.length === 0
    ? html``
    : card({
        title: "By MCP tool",
        body: groupTable({ caption: "Calls by MCP tool", title: "Tool", groups })
      })
}
