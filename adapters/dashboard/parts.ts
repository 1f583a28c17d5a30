import type { Html } from "../html/html.ts"
import { html } from "../html/html.ts"
import { form } from "./formParts.ts"

/** A part of a page with a heading; `id` lets a link lead to it. */
export const card = (parts: {
  readonly title: string
  readonly body: Html | ReadonlyArray<Html>
  readonly id?: string
  /** One sentence beneath the heading. */
  readonly says?: string | Html
  /** A link or button beside the heading. */
  readonly action?: Html
}): Html => {
  const id = parts.id ?? slug(parts.title)
  return html`<section class="card" aria-labelledby="${id}"><div class="head"><h2 id="${id}">${parts.title}</h2>${
    parts.action ?? html``
  }</div>${parts.says === undefined ? html`` : html`<p class="muted">${parts.says}</p>`}${parts.body}</section>`
}

/** The sentences above a page's cards: what it is for, and what a newcomer does next. */
export const lead = (text: string | Html): Html => html`<p class="lead">${text}</p>`

/** What stands where a list would, until there is something in it. */
export const empty = (parts: {
  readonly title: string
  readonly says: string | Html
  readonly action?: Html
}): Html =>
  html`<div class="empty"><p class="strong">${parts.title}</p><p>${parts.says}</p>${parts.action ?? html``}</div>`

/** A list whose entries wrap on a phone: what it is, what is said of it, what can be done. */
export const rows = (
  entries: ReadonlyArray<{
    readonly title: string | Html
    readonly says?: string | Html
    readonly actions?: ReadonlyArray<Html>
  }>
): Html =>
  html`<ul class="rows">${entries.map(
    ({ title, says, actions = [] }) =>
      html`<li><div class="about"><p class="strong">${title}</p>${
        says === undefined ? html`` : html`<p class="muted">${says}</p>`
      }</div>${actions.length === 0 ? html`` : html`<div class="acts">${actions}</div>`}</li>`
  )}</ul>`

/** A table that scrolls by itself on a phone; `numeric` columns stand to the right. */
export const table = (parts: {
  /** What the table shows; heard, not seen, as a heading stands above it. */
  readonly caption: string
  readonly columns: ReadonlyArray<{ readonly title: string; readonly numeric?: true }>
  readonly rows: ReadonlyArray<ReadonlyArray<string | number | Html>>
}): Html => html`<div class="scroll" role="region" tabindex="0" aria-label="${parts.caption}"><table>
<caption class="heard">${parts.caption}</caption>
<thead><tr>${parts.columns.map(
  ({ title, numeric }) => html`<th scope="col"${numericClass(numeric)}>${title}</th>`
)}</tr></thead>
<tbody>${parts.rows.map(
  (cells) =>
    html`<tr>${cells.map((cell, index) => html`<td${numericClass(parts.columns[index]?.numeric)}>${cell}</td>`)}</tr>`
)}</tbody></table></div>`

const numericClass = (numeric: true | undefined): Html => (numeric === true ? html` class="numeric"` : html``)

/** Text to take along: a button copies it where scripts run, and it can be marked where they do not. */
export const copyable = (parts: {
  readonly id: string
  readonly text: string
  readonly label: string
}): Html =>
  html`<span class="copyable"><code id="${parts.id}">${parts.text}</code><button type="button" class="button quiet"
data-copy="${parts.id}" aria-label="Copy ${parts.label}" hidden>Copy</button></span>`

/** A word in a coloured pill: a role, a state. */
export const pill = (text: string, tone: "good" | "bad" | "warn" | "plain" = "plain"): Html =>
  html`<span class="pill ${tone}">${text}</span>`

/** Figures in a row, each under its name. */
export const figures = (
  entries: ReadonlyArray<{ readonly name: string; readonly value: string | Html; readonly says?: string }>
): Html =>
  html`<dl class="figures">${entries.map(
    ({ name, value, says }) =>
      html`<div><dt>${name}</dt><dd class="value">${value}</dd>${
        says === undefined ? html`` : html`<dd class="muted">${says}</dd>`
      }</div>`
  )}</dl>`

/** A time in UTC as a reader writes it: 21 Nov 2026, 17:26 UTC. */
export const time = (iso: string): Html =>
  html`<time datetime="${iso}">${day(iso)}, ${iso.slice(11, 16)} UTC</time>`

/** 21 Nov 2026. */
export const day = (iso: string): string => {
  const [year = "", month = "", date = ""] = iso.slice(0, 10).split("-")
  return `${Number(date)} ${months[Number(month) - 1] ?? ""} ${year}`
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const

/** 12,345. */
export const number = (value: number): string => value.toLocaleString("en")

/** The page that asks once more, before what cannot be undone. */
export const confirmation = (parts: {
  readonly says: ReadonlyArray<string | Html>
  readonly action: string
  readonly submit: string
  readonly cancel: string
  readonly hidden?: Readonly<Record<string, string>>
}): Html =>
  html`<section class="card">${parts.says.map((sentence) => html`<p>${sentence}</p>`)}${form({
    action: parts.action,
    submit: parts.submit,
    cancel: parts.cancel,
    tone: "danger",
    fields: [],
    ...(parts.hidden === undefined ? {} : { hidden: parts.hidden })
  })}</section>`

const slug = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")
