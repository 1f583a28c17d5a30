import type { Html } from "../html/html.ts"
import { html } from "../html/html.ts"
import type { Fault } from "./fields.ts"

/** A form that posts; its faults are summed up above it, each leading to its field. */
export const form = (parts: {
  readonly action: string
  readonly submit: string
  readonly fields: ReadonlyArray<Html>
  readonly faults?: ReadonlyArray<Fault>
  readonly hidden?: Readonly<Record<string, string>>
  /** What stands beneath the button. */
  readonly note?: Html
  readonly tone?: "danger"
  /** `across`: a field or two and the button on one line where there is room. */
  readonly layout?: "across"
  /** Where to go instead. */
  readonly cancel?: string
}): Html => html`${summary(parts.faults ?? [])}
<form class="form${parts.layout === undefined ? "" : ` ${parts.layout}`}" method="post" action="${parts.action}"
novalidate>${hiddenFields(parts.hidden)}${parts.fields}
<div class="actions"><button class="button ${parts.tone ?? "primary"}">${parts.submit}</button>${
  parts.cancel === undefined ? html`` : html`<a class="button" href="${parts.cancel}">Cancel</a>`
}</div>${parts.note ?? html``}</form>`

/** Faults that no field is to blame for name none: their line leads nowhere. */
export const summary = (faults: ReadonlyArray<Fault>): Html =>
  faults.length === 0
    ? html``
    : html`<div class="summary" role="alert" tabindex="-1" autofocus><h2>There is a problem</h2><ul>${faults.map(
        ({ field, says }) =>
          field === "" ? html`<li>${says}</li>` : html`<li><a href="#${field}">${says}</a></li>`
      )}</ul></div>`

interface FieldParts {
  readonly name: string
  readonly label: string
  /** Unique in the page; the name unless said. */
  readonly id?: string
  readonly hint?: string
  readonly faults?: ReadonlyArray<Fault>
}

/** One line of text with its label, hint and fault. */
export const textField = (
  parts: FieldParts & {
    readonly type?: "text" | "email" | "password" | "url" | "date" | "number" | "search"
    readonly value?: string
    readonly autocomplete?: string
    readonly optional?: true
    readonly charactersMax?: number
  }
): Html => {
  const id = parts.id ?? parts.name
  const type = parts.type ?? "text"
  return labelled(
    parts,
    html`<input id="${id}" name="${parts.name}" type="${type}" value="${parts.value ?? ""}"${attributes({
      autocomplete: parts.autocomplete ?? "off",
      maxlength: parts.charactersMax,
      required: parts.optional === true ? undefined : "",
      ...described(parts)
    })}>`
  )
}

/** A choice of one from few. */
export const choiceField = (
  parts: FieldParts & {
    readonly options: ReadonlyArray<{ readonly value: string; readonly label: string }>
    readonly value?: string
  }
): Html =>
  labelled(
    parts,
    html`<select id="${parts.id ?? parts.name}" name="${parts.name}"${attributes(described(parts))}>${parts.options.map(
      ({ value, label }) =>
        html`<option value="${value}"${flag("selected", value === parts.value)}>${label}</option>`
    )}</select>`
  )

/** A box to tick. */
export const checkField = (
  parts: FieldParts & { readonly value?: string; readonly checked?: boolean }
): Html => {
  const id = parts.id ?? parts.name
  return html`<div class="field check"><input id="${id}" name="${parts.name}" type="checkbox" value="${
    parts.value ?? "yes"
  }"${flag("checked", parts.checked === true)}${attributes(described(parts))}>
<label for="${id}">${parts.label}</label>${notes(parts)}</div>`
}

/** A button that acts at once: for what can be undone, or has been confirmed. */
export const actionButton = (parts: {
  readonly action: string
  readonly label: string
  /** What it acts on, for who hears the page: "Withdraw the invitation of a@example.com". */
  readonly says?: string
  readonly hidden?: Readonly<Record<string, string>>
  readonly tone?: "danger" | "quiet" | "primary"
}): Html =>
  html`<form class="inline" method="post" action="${parts.action}">${hiddenFields(parts.hidden)}<button class="button${
    parts.tone === undefined ? "" : ` ${parts.tone}`
  }"${attributes({ "aria-label": parts.says })}>${parts.label}</button></form>`

const labelled = (parts: FieldParts, control: Html): Html =>
  html`<div class="field${faultOf(parts) === undefined ? "" : " faulty"}"><label for="${
    parts.id ?? parts.name
  }">${parts.label}</label>${notes(parts)}${control}</div>`

const notes = (parts: FieldParts): Html => {
  const id = parts.id ?? parts.name
  const fault = faultOf(parts)
  return html`${parts.hint === undefined ? html`` : html`<p class="hint" id="${id}-hint">${parts.hint}</p>`}${
    fault === undefined ? html`` : html`<p class="fault" id="${id}-fault">${fault.says}</p>`
  }`
}

const described = (parts: FieldParts): Readonly<Record<string, string | undefined>> => {
  const id = parts.id ?? parts.name
  const isFaulty = faultOf(parts) !== undefined
  const ids = [...(parts.hint === undefined ? [] : [`${id}-hint`]), ...(isFaulty ? [`${id}-fault`] : [])]
  return {
    "aria-describedby": ids.length === 0 ? undefined : ids.join(" "),
    "aria-invalid": isFaulty ? "true" : undefined
  }
}

const faultOf = ({ faults = [], id, name }: FieldParts): Fault | undefined =>
  faults.find(({ field }) => field === (id ?? name))

const attributes = (values: Readonly<Record<string, string | number | undefined>>): ReadonlyArray<Html> =>
  Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [html` ${{ html: name }}="${value}"`]
  )

const flag = (name: string, on: boolean): Html => ({ html: on ? ` ${name}` : "" })

const hiddenFields = (values: Readonly<Record<string, string>> = {}): ReadonlyArray<Html> =>
  Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
