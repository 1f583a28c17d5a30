import * as Result from "effect/Result"
import type { TooManyAttempts } from "../../core/admin/withAttemptLimits.ts"
import type { Kind } from "../../core/phi/kinds.ts"
import { identifierSays } from "../../core/phi/storedText.ts"
import type { Html } from "../html/html.ts"
import { html } from "../html/html.ts"
import type { SentForm } from "./sentForm.ts"
import { formOf } from "./sentForm.ts"

/** What is wrong with a field, or with the whole form where `field` is "". */
export interface Fault {
  readonly field: string
  readonly says: string
  /** The page does not show again what was entered. */
  readonly hidesText?: true
}

/** A form as its page shows it: what the fields hold, what is wrong, and the status of the page. */
export interface FormState {
  readonly sent: SentForm
  readonly faults: ReadonlyArray<Fault>
  readonly response: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> }
}

/** A form that nobody sent yet, with what its fields hold at first. */
export const newForm = (texts: Readonly<Record<string, string>> = {}): FormState => ({
  sent: formOf(new URLSearchParams(texts)),
  faults: [],
  response: {}
})

/** The form again, with what was sent and what is wrong with it. */
export const rejectForm = (sent: SentForm, ...faults: ReadonlyArray<Fault>): FormState => ({
  sent,
  faults,
  response: { status: 422 }
})

/** The form again, where core/admin rejects a field that the form accepted. */
export const rejectField = (
  sent: SentForm,
  { field, kinds }: { readonly field: string; readonly kinds?: ReadonlyArray<Kind> }
): FormState =>
  rejectForm(
    sent,
    kinds === undefined ? { field, says: "Enter something else." } : identifierFault(field, kinds)
  )

/** A field that contains what looks like a patient identifier, which no page repeats. */
export const identifierFault = (field: string, kinds: ReadonlyArray<Kind>): Fault => ({
  field,
  says: identifierSays(kinds),
  hidesText: true
})

/** The form again, with the time from which it may be sent again. */
export const limitForm = (
  { form, nowMs }: { readonly form: SentForm; readonly nowMs: number },
  { retryAfterSeconds }: TooManyAttempts
): FormState => {
  const at = new Date(nowMs + retryAfterSeconds * 1_000).toISOString().slice(11, 19)
  const says = `Too many attempts. Try again in ${duration(retryAfterSeconds)}, at ${at} UTC.`
  const response = { status: 429, headers: { "retry-after": String(retryAfterSeconds) } }
  return { sent: form, faults: [{ field: "", says }], response }
}

/** The form again, where too many others wait for their turn. */
export const busyForm = ({ form }: { readonly form: SentForm }): FormState => ({
  sent: form,
  faults: [{ field: "", says: busySays }],
  response: { status: 503, headers: { "retry-after": String(busySeconds) } }
})

const busySays = "The server is busy with other sign-ins. Nothing was changed. Try again in a few seconds."
const busySeconds = 5

const duration = (seconds: number): string => {
  if (seconds < 120) return `${seconds} second${seconds === 1 ? "" : "s"}`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
}

/** One field of a form: how it is shown and how its text is parsed (fields.ts). */
export interface Field<Value> {
  readonly label: string
  readonly hint?: string
  readonly control:
    | { readonly type: "select"; readonly options: ReadonlyArray<Option> }
    | {
        readonly type: "text" | "email" | "password" | "url" | "date"
        readonly autocomplete?: string
        readonly optional?: true
        readonly charactersMax?: number
      }
  /** A failure is the sentence that says what to enter instead. */
  readonly parse: (sent: SentForm, name: string) => Result.Result<Value, string>
}

export interface Option {
  readonly value: string
  readonly label: string
}

type Fields = Readonly<Record<string, Field<unknown>>>
type ValuesOf<Given extends Fields> = {
  readonly [Name in keyof Given]: Given[Name] extends Field<infer Value> ? Value : never
}

/** A form from its fields by name: it parses what was sent and renders itself. */
export const makeForm = <Given extends Fields>(submit: string, fields: Given) => ({
  /** All values, or the form with every fault in it. */
  parse: (sent: SentForm): Result.Result<ValuesOf<Given>, FormState> => {
    const results = Object.entries(fields).map(([name, { parse }]) => [name, parse(sent, name)] as const)
    const faults = results.flatMap(([field, result]) =>
      Result.isFailure(result) ? [{ field, says: result.failure }] : []
    )
    if (faults.length > 0) return Result.fail(rejectForm(sent, ...faults))
    const values = results.map(([name, result]) => [name, Result.getOrThrow(result)])
    return Result.succeed(Object.fromEntries(values) as ValuesOf<Given>)
  },
  render: (state: FormState, parts: Omit<FormParts, "submit" | "fields" | "faults">): Html =>
    formHtml({
      ...parts,
      submit,
      faults: state.faults,
      fields: Object.entries(fields).map(([name, field]) => fieldHtml(name, field, state))
    })
})

export interface FormParts {
  readonly action: string
  readonly submit: string
  readonly fields?: ReadonlyArray<Html>
  readonly faults?: ReadonlyArray<Fault>
  readonly hidden?: Hidden
  /** Below the button. */
  readonly note?: Html
  readonly tone?: "danger"
  /** `across`: the fields and the button on one line where there is room. */
  readonly layout?: "across"
  /** Where to go instead. */
  readonly cancel?: string | undefined
}

/** A form that posts. */
export const formHtml = (parts: FormParts): Html => html`${faultSummary(parts.faults ?? [])}
<form class="form${parts.layout && ` ${parts.layout}`}" method="post" action="${parts.action}"
novalidate>${hiddenInputs(parts.hidden)}${parts.fields}
<div class="actions"><button class="button ${parts.tone ?? "primary"}">${parts.submit}</button>${
  parts.cancel !== undefined && html`<a class="button" href="${parts.cancel}">Cancel</a>`
}</div>${parts.note}</form>`

/** Every fault with a link to its field. */
export const faultSummary = (faults: ReadonlyArray<Fault>): Html | undefined =>
  faults.length === 0
    ? undefined
    : html`<div class="summary" role="alert" tabindex="-1" autofocus><h2>There is a problem</h2><ul>${faults.map(
        ({ field, says }) =>
          field === "" ? html`<li>${says}</li>` : html`<li><a href="#${field}">${says}</a></li>`
      )}</ul></div>`

/** A form of one button, for actions that can be undone or were confirmed. */
export const actionButton = (parts: {
  readonly action: string
  readonly label: string
  /** The label for a screen reader: "Withdraw the invitation of a@example.com". */
  readonly says?: string
  readonly hidden?: Hidden
  readonly tone?: "danger" | "quiet" | "primary"
}): Html =>
  html`<form class="inline" method="post" action="${parts.action}">${hiddenInputs(parts.hidden)}<button
class="button${parts.tone && ` ${parts.tone}`}"${attributes({ "aria-label": parts.says })}>${parts.label}</button>
</form>`

/** The options of a select. */
export const optionsHtml = (options: ReadonlyArray<Option>, selected: string): ReadonlyArray<Html> =>
  options.map(
    ({ label, value }) =>
      html`<option value="${value}"${value === selected && html` selected`}>${label}</option>`
  )

const fieldHtml = (
  name: string,
  { control, hint, label }: Field<unknown>,
  { faults, sent }: FormState
): Html => {
  const fault = faults.find(({ field }) => field === name)
  const described = [hint === undefined ? "" : `${name}-hint`, fault === undefined ? "" : `${name}-fault`]
  const about = attributes({
    "aria-describedby": described.join(" ").trim() || undefined,
    "aria-invalid": fault && "true"
  })
  return html`<div class="field${fault && " faulty"}"><label for="${name}">${label}</label>${
    hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`
  }${fault && html`<p class="fault" id="${name}-fault">${fault.says}</p>`}${
    control.type === "select"
      ? html`<select id="${name}" name="${name}"${about}>${optionsHtml(control.options, sent.text(name))}</select>`
      : html`<input id="${name}" name="${name}" type="${control.type}" value="${
          control.type === "password" || fault?.hidesText === true ? "" : sent.text(name)
        }"${attributes({
          autocomplete: control.autocomplete ?? "off",
          maxlength: control.charactersMax,
          required: control.optional === true ? undefined : ""
        })}${about}>`
  }</div>`
}

const attributes = (values: Readonly<Record<string, string | number | undefined>>): ReadonlyArray<Html> =>
  Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [html` ${{ html: name }}="${value}"`]
  )

/** Values that a form sends along; undefined ones are left out. */
type Hidden = Readonly<Record<string, string | undefined>>

const hiddenInputs = (values: Hidden = {}): ReadonlyArray<Html> =>
  Object.entries(values).map(
    ([name, value]) =>
      html`${value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`}`
  )
