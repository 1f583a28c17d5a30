import { isObject } from "../json/isObject.ts"
import type { Show } from "./Tool.ts"

/** Codes on each page of a policy's lists: with their descriptions about a quarter of an answer. */
export const pageCodes = 100

/** The arguments that select what is shown of a policy. */
interface Selection {
  readonly section?: string | undefined
  readonly codes_page?: number | undefined
}

/**
 * Shows one policy within the size of an answer: one section of its text if one is named, and one page of its
 * codes, over all code systems in their order. Pages after the first leave the text out.
 */
export const showPolicy =
  ({ section, codes_page: page = 1 }: Selection): Show =>
  (data) => {
    if (!isObject(data)) return { data, meta: {} }
    const { codes, ...policy } = data
    const text = page > 1 ? withoutText(policy) : section === undefined ? policy : ofSection(policy, section)
    if (!isObject(codes)) return { data: text, meta: {} }
    const all = Object.entries(codes).flatMap(([system, listed]) =>
      Array.isArray(listed) ? listed.map((code: unknown) => ({ system, code })) : []
    )
    const shown = all.slice((page - 1) * pageCodes, page * pageCodes)
    const grouped = Map.groupBy(shown, ({ system }) => system)
    const bySystem = [...grouped].map(([system, listed]) => [system, listed.map(({ code }) => code)] as const)
    const pages = Math.max(1, Math.ceil(all.length / pageCodes))
    const next = page < pages ? page + 1 : null
    const meta = { codes_page: { page, pages, per_page: pageCodes, total: all.length, next } }
    return { data: { ...text, codes: Object.fromEntries(bySystem) }, meta }
  }

type Policy = Readonly<Record<string, unknown>>

const withoutText = ({ criteria: _criteria, sections: _sections, description: _, ...policy }: Policy) =>
  policy

const ofSection = ({ criteria, sections, ...policy }: Policy, section: string): Policy => ({
  ...policy,
  criteria: isObject(criteria) ? { [section]: criteria[section] ?? [] } : criteria,
  sections: isObject(sections) && section in sections ? { [section]: sections[section] } : {}
})
