import { breakLinks } from "../text/breakLinks.ts"
import type { KeptNotice, NoticeValues } from "./Notice.ts"
import type { Severity } from "./noticeRows.ts"
import { rowOf } from "./noticeRows.ts"
import { fillTemplate, oneLine } from "./template.ts"

/** A notice in words, for a page and an email alike. */
export interface NoticeText {
  readonly severity: Severity
  readonly title: string
  readonly sentence: string
  readonly advice: string
  /** A path of ours. */
  readonly path: string
  readonly link: string
}

export const noticeText = (notice: Omit<KeptNotice, "noticeId" | "atMs">): NoticeText => {
  const row = rowOf(notice.kind)
  const home = notice.organizationId === null ? "" : `/dashboard/${notice.organizationId}`
  return {
    severity: row.severity,
    title: row.title,
    sentence: fillTemplate(row.sentence, notice.values),
    advice: fillTemplate(row.advice, notice.values),
    path: `${home}${row.path}`,
    link: row.link
  }
}

/** What a subject may come to; mail programs cut longer ones. */
const subjectCharactersMax = 150

/** The values that people and their browsers choose freely. */
const chosen = ["name", "successor", "agent"] as const

const withoutLinks = (values: NoticeValues): NoticeValues => ({
  ...values,
  ...Object.fromEntries(chosen.flatMap((key) => (values[key] ? [[key, breakLinks(values[key])]] : [])))
})

/** The email of a notice to one of those who must hear of it, as the port of mail takes it. */
export const noticeEmail = (
  notice: Omit<KeptNotice, "noticeId" | "atMs">,
  to: string,
  service: { readonly baseUrl: string; readonly supportUrl: string }
): { readonly to: string; readonly subject: string; readonly text: string } => {
  const { title, sentence, advice, path, link } = noticeText({
    ...notice,
    values: withoutLinks(notice.values)
  })
  const name = notice.organizationName === null ? null : breakLinks(oneLine(notice.organizationName))
  const why =
    name === null
      ? "You receive this because it is your account."
      : `You receive this as somebody who owns or administers ${name}.`
  return {
    to,
    subject: (name === null ? title : `${name}: ${title}`).slice(0, subjectCharactersMax),
    text: [
      `${sentence}\n\n${advice}`,
      `${link}:\n${service.baseUrl}${path}`,
      `${why} Questions:\n${service.supportUrl}`
    ].join("\n\n")
  }
}
