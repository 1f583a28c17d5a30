import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { noticeText } from "../../core/notice/noticeEmail.ts"
import type { KeptNotice } from "../../core/notice/Notice.ts"
import type { Severity } from "../../core/notice/noticeRows.ts"
import { dismissNotice, noticesFor } from "../../core/job/noticeJobs.ts"
import type { Html } from "../html/html.ts"
import { html } from "../html/html.ts"
import { notFound, redirectTo } from "./answer.ts"
import { actionButton } from "./formParts.ts"
import { nextOf } from "./next.ts"
import type { MemberRequest } from "./Page.ts"
import { memberPage } from "./Page.ts"
import { time } from "./parts.ts"

/** What an organization's people must hear of, above every page of it, until they dismiss it. */
export const notices = Effect.fnUntraced(function* (pageRequest: MemberRequest) {
  const told = yield* noticesFor(readerOf(pageRequest))
  return told.length === 0 ? [] : [board(pageRequest, told)]
})

const dismiss = Effect.fnUntraced(function* (pageRequest: MemberRequest) {
  const id = pageRequest.form.text("notice")
  const isOwn = /^\d{1,15}$/.test(id) && (yield* dismissNotice(readerOf(pageRequest), Number(id)))
  if (!isOwn) return notFound
  const back = nextOf(pageRequest.form.text("back"))
  return redirectTo(back?.startsWith(`${pageRequest.home}/`) === true ? back : `${pageRequest.home}/usage`, {
    says: "notice_dismissed"
  })
})

/** Where a notice is dismissed. */
export const noticesPages = [
  memberPage({ method: "POST", path: "/dashboard/:organization/notices/dismiss", answer: dismiss })
] as const

const readerOf = ({ actor, person }: MemberRequest) => ({
  organizationId: actor.organizationId,
  personId: person.personId
})

/** More than these would hide the page beneath them. */
const openMax = 2

/** A landmark of its own, so that a screen reader finds it and can leave it out. */
const board = (pageRequest: MemberRequest, told: ReadonlyArray<KeptNotice>): Html => {
  const [open, folded] = [told.slice(0, openMax), told.slice(openMax)]
  const each = (notice: KeptNotice): Html => noticeHtml(pageRequest, notice)
  return html`<section class="notices" aria-label="Notices">${open.map(each)}${
    folded.length === 0 ? html`` : older(folded.map(each))
  }</section>`
}

const older = (folded: ReadonlyArray<Html>): Html =>
  html`<details><summary>Older notices: ${folded.length}</summary><div class="notices">${folded}</div></details>`

/** Where somebody goes on after they dismissed one; what a form answered is no place to come back to. */
const pathOf = ({ home, request }: MemberRequest): string =>
  request.method === "GET" ? request.url : `${home}/usage`

const tones: Readonly<Record<Severity, string>> = { Note: "note", Warning: "warn", Urgent: "bad" }

const noticeHtml = (pageRequest: MemberRequest, notice: KeptNotice): Html => {
  const { severity, title, sentence, advice, path, link } = noticeText(notice)
  const at = DateTime.formatIso(DateTime.makeUnsafe(notice.atMs))
  return html`<div class="notice ${tones[severity]}"><p class="strong">${severity}: ${title}</p>
<p>${sentence}</p><p>${advice}</p><p class="muted">${time(at)}</p>
<div class="actions"><a class="button" href="${path}">${link}</a>${actionButton({
    action: `${pageRequest.home}/notices/dismiss`,
    label: "Dismiss",
    says: `Dismiss: ${title}`,
    tone: "quiet",
    hidden: { notice: String(notice.noticeId), back: pathOf(pageRequest) }
  })}</div></div>`
}
