import type { Permission } from "../../core/organization/role.ts"
import { html } from "../html/html.ts"
import type { PageRequest } from "./Page.ts"
import { actions, linkButton, narrowPage, whoMay } from "./parts.ts"
import { formBytesMax } from "./sentForm.ts"

/** Why there is no page: its status, its title, and what to do. */
const failures = {
  unreadable: [400, "This form could not be read", "Go back and send it again."],
  foreign: [
    403,
    "This request did not come from our pages",
    "To keep your account safe, we did nothing. Open the page here and try again."
  ],
  missing: [
    404,
    "There is no such page",
    "The address is mistyped, or the page no longer exists. If it belongs to an organization, ask one of " +
      "its owners or admins to invite you."
  ],
  method: [405, "This page does not take that method", "Go back and try again."],
  tooLong: [
    413,
    "This form is too long",
    `Shorten the text to ${formBytesMax / 1_024} KiB and send it again.`
  ],
  format: [415, "This form has an unknown format", "Send it from the page it belongs to."],
  broken: [
    500,
    "Something went wrong on our side",
    "Try again. If it happens again, send us the request ID."
  ],
  unavailable: [
    503,
    "This page is temporarily unavailable",
    "A database did not respond. Your last action may not have been saved."
  ]
} as const
export type Failure = keyof typeof failures

/** The page of a failure. A failure on our side names the request and offers to try again. */
export const failurePage = (
  failure: Failure,
  { path, requestId }: Pick<PageRequest, "path" | "requestId">,
  headers: Readonly<Record<string, string>> = {}
) => {
  const [status, title, says] = failures[failure]
  const isOurs = status >= 500
  return narrowPage({
    status,
    title,
    headers: { ...headers, ...(status === 503 && { "retry-after": String(retrySeconds) }) },
    body: html`<p>${says}</p>
${isOurs && html`<p>Request ID: <code>${requestId}</code></p>`}${
  isOurs ? actions(linkButton({ href: path, label: "Try again", tone: "primary" })) : toDashboard
}`
  })
}

/** The page for people whose role does not allow an action; it names the roles that do. */
export const forbiddenPage = (permission: Permission | undefined) =>
  narrowPage({
    status: 403,
    title: "You do not have permission",
    body: html`<p>${
      permission === undefined
        ? "Your role does not allow this. Ask an owner or admin."
        : `${whoMay(permission)} Ask one of them to do it or to change your role.`
    }</p>${toDashboard}`
  })

const toDashboard = actions(linkButton({ href: "/dashboard", label: "Go to the dashboard" }))

const retrySeconds = 5
