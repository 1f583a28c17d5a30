import { components } from "../../../core/status/condition.ts"
import type { Component, Condition, Observation } from "../../../core/status/condition.ts"
import { outagesMax } from "../../../core/status/Status.ts"
import type { Outage, Status } from "../../../core/status/Status.ts"
import {
  componentNames,
  conditionWords,
  effect,
  headline,
  conditionMeaning
} from "../../../core/status/words.ts"
import { html } from "../../html/html.ts"
import type { Html } from "../../html/html.ts"
import { statusPath } from "./navigation.ts"
import { page } from "./page.ts"

/** /status: how the service is, in words, without a script; a mark and a word say what a colour says. */
export const statusPage = (status: Status) =>
  page(
    statusPath,
    "Status",
    html`<p class="headline ${overall(status)}">${mark(overall(status))} <strong>${headline(status)}</strong></p>
<p>Read ${time(status.seen.atMs)}. <a href="${statusPath}">Read again</a></p>
<h2 id="now">Now</h2>
<dl>${components.map((name) => standing(name, status))}</dl>
<h2 id="outages">Outages</h2>${outagesOf(status)}
<h2 id="what-this-page-knows">What this page knows</h2>
<p>It is the view of the one process that answered you, of what its own probes saw at most a second ago, and of
the webhook queue at most 15 seconds ago. It started ${time(status.startedMs)}: what was before it does not know,
and of what went wrong since it keeps the last ${outagesMax} outages. An outage shorter than a second may be
missing. Where several processes serve one address, another may have seen otherwise; and a network that keeps you
from this page is on no page of ours.</p>
<p>The same as JSON is at <a href="${statusPath}.json">${statusPath}.json</a>. What the service aims for is told in
<a href="/docs/objectives">its objectives</a>.</p>`
  )

/** The worse of what callers of the API and receivers of webhooks meet. */
const overall = ({ standings: { api, webhooks } }: Status): Condition =>
  api.condition === "up" && webhooks.condition === "degraded" ? webhooks.condition : api.condition

const standing = (name: Component, { seen, standings, startedMs }: Status): Html => {
  const { condition, sinceMs } = standings[name]
  return html`<dt>${componentNames[name]}</dt>
<dd><strong class="${condition}">${mark(condition)} ${conditionWords[condition]}</strong> since ${time(sinceMs)}${
    sinceMs === startedMs ? " or before" : ""
  }. ${conditionMeaning(name, condition)}${figure(name, seen)}</dd>`
}

const figure = (name: Component, seen: Observation): string => {
  switch (name) {
    case "api":
      return ""
    case "database":
      return took(seen.database.latencyMs)
    case "limits":
      return seen.cache.status === "up" ? took(seen.cache.latencyMs) : ""
    case "webhooks":
      return seen.webhookWaitSeconds === null
        ? ""
        : ` The oldest has waited ${Math.round(seen.webhookWaitSeconds)} s.`
  }
}

const took = (latencyMs: number | null): string =>
  latencyMs === null ? "" : ` The last probe took ${Math.round(latencyMs)} ms.`

const outagesOf = ({ outages, seen, startedMs }: Status): Html =>
  outages.length === 0
    ? html`<p>None since this process started.</p>`
    : html`<ul>${outages.toReversed().map((outage) => outageItem(outage, { startedMs, nowMs: seen.atMs }))}</ul>`

const outageItem = (
  outage: Outage,
  { nowMs, startedMs }: { readonly nowMs: number; readonly startedMs: number }
): Html => {
  const { component, condition, fromMs, toMs } = outage
  const word = conditionWords[condition].toLowerCase()
  const started = fromMs === startedMs ? " or before" : ""
  const [until, met] =
    toMs === null
      ? ["it lasts", conditionMeaning(component, condition)]
      : [html`to ${time(toMs)}`, effect(outage)]
  return html`<li><strong>${componentNames[component]} ${word}</strong> from ${time(fromMs)}${started}, ${until}
(${lasted((toMs ?? nowMs) - fromMs)}). ${met}</li>
`
}

const marks: Readonly<Record<Condition, string>> = { up: "✓", degraded: "!", down: "✕", unknown: "?" }

/** A sign beside the word, which is read out instead of it. */
const mark = (condition: Condition): Html => html`<span aria-hidden="true">${marks[condition]}</span>`

const time = (atMs: number): Html => {
  const text = new Date(atMs).toISOString()
  return html`<time datetime="${text}">${text.slice(0, 19).replace("T", " ")} UTC</time>`
}

const lasted = (ms: number): string => {
  const seconds = Math.round(ms / 1_000)
  if (seconds < 120) return `${seconds} s`
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`
}
