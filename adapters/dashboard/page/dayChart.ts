import { scaleBand, scaleLinear } from "d3-scale"
import type { UsageGroup } from "../../../core/organization/usageReport.ts"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import { day as dayText, number } from "../parts.ts"

/** Heights in pixels. Widths are in percent, so that the chart fits the page and text keeps its size. */
const plotHeight = 180
const topRoom = 14
const bottomRoom = 26
const tickCount = 4
const dayLabelsMax = 4

/** Calls by day as bars, with errors stacked on top; the table below the chart has the same numbers. */
export const dayChart = (days: ReadonlyArray<UsageGroup>): Html => {
  const most = Math.max(1, ...days.map(({ calls }) => calls))
  const y = scaleLinear([0, most], [plotHeight, 0]).nice(tickCount)
  const x = scaleBand(
    days.map(({ name }) => name),
    [0, 100]
  ).padding(0.22)
  const ticks = y.ticks(tickCount).filter(Number.isInteger)
  const height = topRoom + plotHeight + bottomRoom
  const plot = html`<g transform="translate(0 ${topRoom})">`
  return html`<div class="chart"><svg height="${height}" aria-hidden="true">${plot}${ticks.map(
    (tick) =>
      html`<text x="100%" y="${y(tick)}" text-anchor="end" dominant-baseline="central">${compact(tick)}</text>`
  )}</g></svg>
<svg height="${height}" role="img" aria-labelledby="calls-by-day-title calls-by-day-desc">
<title id="calls-by-day-title">Calls by day</title><desc id="calls-by-day-desc">${description(days)}</desc>
${plot}${ticks.map(
  (tick) => html`<line x1="0" x2="100%" y1="${y(tick)}" y2="${y(tick)}"${tick === 0 && html` class="base"`}/>`
)}${days.map((one) => bar(one, { x: x(one.name) ?? 0, width: x.bandwidth(), y }))}${labels(
  days,
  x
)}</g></svg></div>
<ul class="legend"><li><svg aria-hidden="true"><rect width="100%" height="100%" rx="2" class="bar"/></svg>Calls</li>
<li><svg aria-hidden="true"><rect width="100%" height="100%" rx="2" class="bar bad"/></svg>Errors (status 400 and
above)</li></ul>`
}

const bar = (
  { calls, credits, errors, name }: UsageGroup,
  { width, x, y }: { readonly x: number; readonly width: number; readonly y: (value: number) => number }
): Html => {
  const good = calls - errors
  const across = html`x="${percent(x)}" width="${percent(width)}"`
  const rect = (kind: string, from: number, to: number): Html | false =>
    from < to &&
    html`<rect class="${kind}" ${across} y="${pixels(y(to))}" height="${pixels(y(from) - y(to))}"/>`
  return html`<g class="day"><title>${dayText(name)}: ${number(calls)} calls, ${number(errors)} errors, ${number(
    credits
  )} credits</title><rect class="ground" ${across} y="0" height="${plotHeight}"/>${rect("bar", 0, good)}${rect(
    "bar bad",
    good,
    calls
  )}</g>`
}

const labels = (
  days: ReadonlyArray<UsageGroup>,
  x: ReturnType<typeof scaleBand<string>>
): ReadonlyArray<Html> => {
  const last = days.length - 1
  const step = Math.max(1, Math.ceil(last / (dayLabelsMax - 1)))
  return days.flatMap(({ name }, index) => {
    // Counts back from the newest day, so that today always has a label.
    if ((last - index) % step !== 0) return []
    const middle = (x(name) ?? 0) + x.bandwidth() / 2
    const anchor = middle < 6 ? "start" : middle > 94 ? "end" : "middle"
    const at = anchor === "start" ? "0" : anchor === "end" ? "100%" : percent(middle)
    const short = dayText(name).split(" ").slice(0, 2).join(" ")
    return [html`<text x="${at}" y="${plotHeight + 18}" text-anchor="${anchor}">${short}</text>`]
  })
}

/** The chart for a screen reader: its range and its peak. */
const description = (days: ReadonlyArray<UsageGroup>): string => {
  const [first, last] = [days[0], days.at(-1)]
  const [peak] = days.toSorted((left, right) => right.calls - left.calls)
  if (first === undefined || last === undefined || peak === undefined || peak.calls === 0) return "No calls."
  return `One bar per day from ${dayText(first.name)} to ${dayText(last.name)}. The peak is ${number(
    peak.calls
  )} calls on ${dayText(peak.name)}. The table below has every number.`
}

const compact = (value: number): string =>
  value.toLocaleString("en", { notation: "compact", maximumFractionDigits: 1 })

const percent = (value: number): string => `${Math.round(value * 1_000) / 1_000}%`
const pixels = (value: number): string => String(Math.round(value * 10) / 10)
