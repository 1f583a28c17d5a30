import type { Permission } from "../../core/organization/role.ts"
import { permissions } from "../../core/organization/role.ts"
import type { Html } from "../html/html.ts"
import { html } from "../html/html.ts"
import { formHtml } from "./form.ts"
import type { PageContent } from "./Page.ts"
import { showPage } from "./Page.ts"

type Text = string | Html

/** A part of a page with a heading; `id` lets a link lead to it. */
export const card = (parts: {
  readonly title: string
  readonly body: Html | ReadonlyArray<Html>
  readonly id?: string
  /** One sentence below the heading. */
  readonly says?: Text
  /** A link or button beside the heading. */
  readonly action?: Html
}): Html => {
  const id = parts.id ?? parts.title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")
  return html`<section class="card" aria-labelledby="${id}"><div class="head"><h2 id="${id}">${parts.title}</h2>${
    parts.action
  }</div>${parts.says !== undefined && small(parts.says)}${parts.body}</section>`
}

/** The sentences above a page's cards: what the page is for and what to do first. */
export const lead = (text: Text): Html => html`<p class="lead">${text}</p>`

/** Secondary text. */
export const small = (text: Text): Html => html`<p class="muted">${text}</p>`

/** In place of a list without entries. */
export const empty = (parts: { readonly title: string; readonly says: Text; readonly action?: Html }): Html =>
  html`<div class="empty"><p class="strong">${parts.title}</p><p>${parts.says}</p>${parts.action}</div>`

/** A list of entries that wrap on a phone. */
export const rows = (
  entries: ReadonlyArray<{
    readonly title: Text
    readonly says?: Text
    readonly actions?: ReadonlyArray<Html>
  }>
): Html =>
  html`<ul class="rows">${entries.map(
    ({ title, says, actions = [] }) =>
      html`<li><div class="about"><p class="strong">${title}</p>${
        says !== undefined && small(says)
      }</div>${actions.length > 0 && html`<div class="acts">${actions}</div>`}</li>`
  )}</ul>`

/** A table that scrolls by itself on a phone. */
export const table = (parts: {
  /** What the table shows, for a screen reader. */
  readonly caption: string
  /** `numeric` aligns a column to the right. */
  readonly columns: ReadonlyArray<{ readonly title: string; readonly numeric?: true }>
  readonly rows: ReadonlyArray<ReadonlyArray<Text>>
}): Html => {
  const numeric = (index: number) => parts.columns[index]?.numeric && html` class="numeric"`
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${parts.caption}"><table>
<caption class="heard">${parts.caption}</caption>
<thead><tr>${parts.columns.map(
    ({ title }, index) => html`<th scope="col"${numeric(index)}>${title}</th>`
  )}</tr></thead>
<tbody>${parts.rows.map(
    (cells) => html`<tr>${cells.map((cell, index) => html`<td${numeric(index)}>${cell}</td>`)}</tr>`
  )}</tbody></table></div>`
}

/** Text with a button that copies it; without scripts the button stays hidden. */
export const copyable = (parts: {
  readonly id: string
  readonly text: string
  readonly label: string
}): Html =>
  html`<span class="copyable"><code id="${parts.id}">${parts.text}</code><button type="button" class="button quiet"
data-copy="${parts.id}" aria-label="Copy ${parts.label}" hidden>Copy</button></span>`

/** A link that looks like a button. */
export const linkButton = (parts: {
  readonly href: string
  readonly label: string
  /** The label for a screen reader. */
  readonly says?: string | undefined
  readonly tone?: "primary" | "quiet" | "danger"
}): Html =>
  html`<a class="button${parts.tone && ` ${parts.tone}`}" href="${parts.href}"${
    parts.says !== undefined && html` aria-label="${parts.says}"`
  }>${parts.label}</a>`

/** Buttons in a line. */
export const actions = (...buttons: ReadonlyArray<Html>): Html => html`<div class="actions">${buttons}</div>`

/** A word in a colored pill: a role, a status. */
export const pill = (text: string, tone: "good" | "bad" | "warn" | "plain" = "plain"): Html =>
  html`<span class="pill ${tone}">${text}</span>`

/** Numbers in a row, each below its name and above a remark. */
export const figures = (
  entries: ReadonlyArray<readonly [name: string, value: Text, remark?: string]>
): Html =>
  html`<dl class="figures">${entries.map(
    ([name, value, remark]) =>
      html`<div><dt>${name}</dt><dd class="value">${value}</dd>${
        remark !== undefined && html`<dd class="muted">${remark}</dd>`
      }</div>`
  )}</dl>`

/** Names and values below each other. */
export const facts = (entries: ReadonlyArray<readonly [name: string, value: Text]>): Html =>
  html`<dl class="facts">${entries.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`

/** 21 Nov 2026, 17:26 UTC. */
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

/** A page with one card: a form alone, or what to do next. */
export const narrowPage = ({
  aside,
  body,
  says,
  ...page
}: Omit<PageContent, "width"> & {
  /** Above the card. */
  readonly says?: Text
  /** Below the card. */
  readonly aside?: Html
}) =>
  showPage({
    ...page,
    width: "narrow",
    body: html`${says !== undefined && lead(says)}
<section class="card" aria-label="${page.title}">${body}</section>${aside && html`<p class="aside">${aside}</p>`}`
  })

/** Asks once more before an action that cannot be undone. */
export const confirmPage = ({
  action,
  cancel,
  says,
  submit,
  ...page
}: Pick<PageContent, "title" | "section"> & {
  readonly says: ReadonlyArray<Text>
  readonly action: string
  readonly submit: string
  readonly cancel: string
}) =>
  showPage({
    ...page,
    body: html`<section class="card">${says.map((sentence) => html`<p>${sentence}</p>`)}${formHtml({
      ...{ action, cancel, submit },
      tone: "danger"
    })}</section>`
  })

/** A key or secret, shown this once. */
export const secretCard = (parts: {
  readonly kind: "key" | "secret"
  readonly text: string
  readonly says: Html
}): Html =>
  html`<section class="secret" aria-labelledby="new-${parts.kind}"><h2 id="new-${parts.kind}">Copy the ${
    parts.kind
  } now</h2>
<p>${parts.says} We show it only this once.</p>
${copyable({ id: parts.kind, label: `the ${parts.kind}`, text: parts.text })}</section>`

/** Links to the newest and the next older entries of a list. */
export const pager = (links: {
  readonly newest: string | undefined
  readonly older: string | undefined
}): Html =>
  html`${
    (links.newest ?? links.older) !== undefined &&
    html`<nav class="actions" aria-label="Pages">${
      links.newest !== undefined && linkButton({ href: links.newest, label: "Newest", tone: "quiet" })
    }${links.older !== undefined && linkButton({ href: links.older, label: "Older", tone: "quiet" })}</nav>`
  }`

/** Links that choose one view of a list; the current one is marked. */
export const viewLinks = (
  label: string,
  links: ReadonlyArray<{ readonly href: string; readonly text: string; readonly isCurrent: boolean }>
): Html =>
  html`<nav class="ranges" aria-label="${label}">${links.map(
    ({ href, isCurrent, text }) =>
      html`<a href="${href}"${isCurrent && html` aria-current="true"`}>${text}</a>`
  )}</nav>`

/** "Only owners and admins can create keys." */
export const whoMay = (permission: Permission): string => {
  const holders = permissions[permission].map((role) => `${role}s`)
  return `Only ${holders.join(" and ")} can ${permissionWords[permission]}.`
}

const permissionWords: Readonly<Record<Permission, string>> = {
  create_key: "create keys",
  revoke_key: "revoke keys",
  rotate_key: "rotate keys",
  change_webhook: "add and change webhooks",
  replay_delivery: "replay deliveries",
  invite_member: "invite people",
  remove_member: "remove members",
  change_role: "change roles",
  change_owner: "add, change and remove owners",
  set_overage_cap: "set the overage cap",
  choose_pack: "choose the plan",
  disconnect_any_app: "disconnect other people’s apps",
  rename_organization: "rename the organization",
  export_usage: "export usage"
}
