import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { noticeText } from "../../../core/notice/noticeEmail.ts"
import type { KeptNotice } from "../../../core/notice/Notice.ts"
import type { Severity } from "../../../core/notice/noticeRows.ts"
import { dismissNotice as dismiss, noticesFor } from "../../../core/job/noticeJobs.ts"
import type { Html } from "../../html/html.ts"
import { html } from "../../html/html.ts"
import { actionButton } from "../form.ts"
import { nextOf } from "../next.ts"
import type { MemberRequest } from "../Page.ts"
import { notFound, redirectTo } from "../Page.ts"
import { actions, linkButton, small, time } from "../parts.ts"

/** Hides a notice from the person who dismisses it. */
export const dismissNotice = Effect.fnUntraced(function* (request: MemberRequest) {
  const { form, home } = request
  const id = form.text("notice")
  const isTheirs = /^\d{1,15}$/.test(id) && (yield* dismiss(readerOf(request), Number(id)))
  if (!isTheirs) return notFound
  const back = nextOf(form.text("back"))
  return redirectTo(back?.startsWith(`${home}/`) === true ? back : `${home}/usage`, "notice_dismissed")
})

/** More open notices would hide the page below them. */
const openMax = 2

/** The notices above every page of an organization until they are dismissed, in a landmark of their own. */
export const noticesHtml = Effect.fnUntraced(function* (request: MemberRequest) {
  const notices = yield* noticesFor(readerOf(request))
  if (notices.length === 0) return html``
  const [open, older] = [notices.slice(0, openMax), notices.slice(openMax)]
  const render = (notice: KeptNotice): Html => noticeHtml(request, notice)
  return html`<section class="notices" aria-label="Notices">${open.map(render)}${
    older.length > 0 &&
    html`<details><summary>Older notices: ${older.length}</summary><div class="notices">${older.map(
      render
    )}</div></details>`
  }</section>`
})

const readerOf = ({ actor, person }: MemberRequest) => ({
  organizationId: actor.organizationId,
  personId: person.personId
})

const tones: Readonly<Record<Severity, string>> = { Note: "note", Warning: "warn", Urgent: "bad" }

const noticeHtml = ({ home, method, url }: MemberRequest, notice: KeptNotice): Html => {
  const { severity, title, sentence, advice, path, link } = noticeText(notice)
  const dismissal = actionButton({
    action: `${home}/notices/dismiss`,
    label: "Dismiss",
    says: `Dismiss: ${title}`,
    tone: "quiet",
    // The answer to a form has no address to come back to.
    hidden: { notice: String(notice.noticeId), back: method === "GET" ? url : `${home}/usage` }
  })
  return html`<div class="notice ${tones[severity]}"><p class="strong">${severity}: ${title}</p>
<p>${sentence}</p><p>${advice}</p>${small(time(DateTime.formatIso(DateTime.makeUnsafe(notice.atMs))))}
${actions(linkButton({ href: path, label: link }), dismissal)}</div>`
}
