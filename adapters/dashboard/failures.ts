import { html } from "../html/html.ts"
import type { Html } from "../html/html.ts"
import { formBytesMax } from "./form.ts"
import type { PageAnswer } from "./Page.ts"

/** Why there is no page, each with its status and what to do about it. */
export const failures = {
  unread: { status: 400, title: "This form could not be read", says: ["Go back, and send it again."] },
  foreign: {
    status: 403,
    title: "This request did not come from our pages",
    says: ["To keep your account safe it was not carried out. Open the page here and try again."]
  },
  missing: {
    status: 404,
    title: "There is no such page",
    says: [
      "The address may be mistyped, or what it led to is gone.",
      "If it belongs to an organization, ask one of its owners or admins to invite you."
    ]
  },
  method: { status: 405, title: "This page cannot be asked for that way", says: ["Go back, and try again."] },
  long: {
    status: 413,
    title: "This form is too long",
    says: [`A form may hold at most ${formBytesMax / 1_024} KiB. Shorten what you wrote and send it again.`]
  },
  format: {
    status: 415,
    title: "This form has a format that is not taken",
    says: ["Send it from the page it belongs to."]
  },
  broken: {
    status: 500,
    title: "Something broke on our side",
    says: ["It was not your doing. Try again; if it happens again, tell us the request id."]
  },
  away: {
    status: 503,
    title: "This page is away for a moment",
    says: ["A store that it needs does not answer. What you sent may not have been carried out."]
  }
} as const satisfies Record<
  string,
  { readonly status: number; readonly title: string; readonly says: ReadonlyArray<string> }
>
export type Failure = keyof typeof failures

/** The page of a failure; those on our side name the request and offer to try again. */
export const failurePage = (
  failure: Failure,
  request: { readonly requestId: string; readonly path: string }
): PageAnswer => {
  const { status, title, says } = failures[failure]
  const ours = status >= 500
  return {
    _tag: "Shown",
    status,
    title,
    width: "narrow",
    body: html`<section class="card" aria-label="What to do">${says.map((sentence) => html`<p>${sentence}</p>`)}${
      ours ? retry(request) : onward
    }</section>`,
    ...(status === 503 ? { headers: { "retry-after": String(retrySeconds) } } : {})
  }
}

/** The page for who may not: what they asked for is there, and the sentence says whose it is to do. */
export const forbiddenPage = (says: string): PageAnswer => ({
  _tag: "Shown",
  status: 403,
  title: "This is not yours to do",
  width: "narrow",
  body: html`<section class="card" aria-label="What to do"><p>${says} Ask one of them, or have them change your
role.</p>${onward}</section>`
})

const onward = html`<div class="actions"><a class="button" href="/dashboard">To the dashboard</a></div>`

const retry = ({ path, requestId }: { readonly path: string; readonly requestId: string }): Html =>
  html`<p>Request id: <code>${requestId}</code></p>
<div class="actions"><a class="button primary" href="${path}">Try again</a></div>`

const retrySeconds = 5
