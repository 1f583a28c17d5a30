import { scaleBand, scaleLinear } from "d3-scale"
import type { UsageGroup } from "../../../core/organization/usageReport.ts"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import { day as dayText, number } from "../parts.ts"

/** Pixels; the width is the page's own, so across everything is in percent and text keeps its size. */
const plotHeight = 180
const topRoom = 14
const bottomRoom = 26
const ticksWanted = 4
const dayLabelsMax = 4

/**
 * Calls by day as bars, those that were errors apart at the top. The figures stand in the table beneath, to
 * which the description leads.
 */
export const dayChart = (days: ReadonlyArray<UsageGroup>): Html => {
  const most = Math.max(1, ...days.map(({ calls }) => calls))
  const up = scaleLinear([0, most], [plotHeight, 0]).nice(ticksWanted)
  const across = scaleBand(
    days.map(({ name }) => name),
    [0, 100]
  ).padding(0.22)
  const ticks = up.ticks(ticksWanted).filter(Number.isInteger)
  const height = topRoom + plotHeight + bottomRoom
  const move = html`<g transform="translate(0 ${topRoom})">`
  return html`<div class="chart"><svg height="${height}" aria-hidden="true">${move}${ticks.map(
    (tick) =>
      html`<text x="100%" y="${up(tick)}" text-anchor="end" dominant-baseline="central">${compact(tick)}</text>`
  )}</g></svg>
<svg height="${height}" role="img" aria-labelledby="calls-by-day-title calls-by-day-desc">
<title id="calls-by-day-title">Calls by day</title><desc id="calls-by-day-desc">${described(days)}</desc>
${move}${ticks.map(
  (tick) =>
    html`<line x1="0" x2="100%" y1="${up(tick)}" y2="${up(tick)}"${tick === 0 ? html` class="base"` : html``}/>`
)}${days.map((one) => bar(one, { x: across(one.name) ?? 0, width: across.bandwidth(), up }))}${labels(
  days,
  across
)}</g></svg></div>${legend}`
}

const legend = html`<ul class="legend"><li><svg aria-hidden="true"><rect width="100%" height="100%" rx="2"
class="bar"/></svg>Calls</li><li><svg aria-hidden="true"><rect width="100%" height="100%" rx="2"
class="bar bad"/></svg>of them errors (400 and above)</li></ul>`

interface Place {
  /** In percent. */
  readonly x: number
  readonly width: number
  readonly up: (value: number) => number
}

const bar = ({ calls, credits, errors, name }: UsageGroup, { up, width, x }: Place): Html => {
  const good = calls - errors
  const says = `${dayText(name)}: ${number(calls)} calls, ${number(errors)} errors, ${number(credits)} credits`
  const at = html`x="${percent(x)}" width="${percent(width)}"`
  return html`<g class="day"><title>${says}</title><rect class="ground" ${at} y="0" height="${plotHeight}"/>${
    good === 0 ? html`` : html`<rect class="bar" ${at} y="${px(up(good))}" height="${px(up(0) - up(good))}"/>`
  }${
    errors === 0
      ? html``
      : html`<rect class="bar bad" ${at} y="${px(up(calls))}" height="${px(up(good) - up(calls))}"/>`
  }</g>`
}

const labels = (
  days: ReadonlyArray<UsageGroup>,
  across: ReturnType<typeof scaleBand<string>>
): ReadonlyArray<Html> => {
  const step = Math.max(1, Math.ceil((days.length - 1) / (dayLabelsMax - 1)))
  const last = days.length - 1
  return days.flatMap(({ name }, index) => {
    // From the newest backwards, so that today is always named.
    if ((last - index) % step !== 0) return []
    const middle = (across(name) ?? 0) + across.bandwidth() / 2
    const anchor = middle < 6 ? "start" : middle > 94 ? "end" : "middle"
    const x = anchor === "start" ? "0" : anchor === "end" ? "100%" : percent(middle)
    const short = dayText(name).split(" ").slice(0, 2).join(" ")
    return [html`<text x="${x}" y="${plotHeight + 18}" text-anchor="${anchor}">${short}</text>`]
  })
}

/** What a bar chart says to who does not see it: its range and its peak. */
const described = (days: ReadonlyArray<UsageGroup>): string => {
  const [first, last] = [days[0], days.at(-1)]
  const peak = days.reduce<UsageGroup | undefined>(
    (most, one) => (most === undefined || one.calls > most.calls ? one : most),
    undefined
  )
  if (first === undefined || last === undefined || peak === undefined || peak.calls === 0) return "No calls."
  return `One bar a day from ${dayText(first.name)} to ${dayText(last.name)}. The most calls, ${number(
    peak.calls
  )}, were on ${dayText(peak.name)}. The table beneath has every figure.`
}

const compact = (value: number): string =>
  value.toLocaleString("en", { notation: "compact", maximumFractionDigits: 1 })

const percent = (value: number): string => `${Math.round(value * 1_000) / 1_000}%`
const px = (value: number): string => String(Math.round(value * 10) / 10)
