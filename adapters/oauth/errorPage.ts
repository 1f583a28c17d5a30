import { html } from "../html/html.ts"

/** What is told of a request that cannot go on, where no client can be told. */
export interface ErrorFacts {
  readonly status: number
  /** The protocol's own word, such as `invalid_client`. */
  readonly error: string
  readonly says: string
}

/** A page of HTML text with the headers it needs; the pages of people give one in their own frame. */
export type ErrorPage = (facts: ErrorFacts) => {
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}

/** A page without any style, for a server that has no pages of people. */
export const plainErrorPage: ErrorPage = ({ error, says }) => ({
  text: html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>The app could not be connected</title>
<main>
<h1>The app could not be connected</h1>
<p>${says}</p>
<p>Go back to the app and connect it again. If that does not help, tell who makes it: <code>${error}</code>.</p>
</main>
</html>`.html,
  headers: { "content-security-policy": "default-src 'none'; frame-ancestors 'none'" }
})

/**
 * What a reader makes of the protocol's words; the rest is the app's to mend. An app may go by the address of
 * a document of its own instead of registering, and is then told of that.
 */
export const messageOf = (error: string, description: string | undefined, clientId = ""): string => {
  if (error === "invalid_client" && /^https?:/.test(clientId)) return unreadDocument
  const known = messages[error]
  return known ?? description ?? "The app sent a request that is not valid."
}

// Why it was not read is not told: that would map the network around us.
const unreadDocument =
  "The app is not known here: the document at the address that it goes by could not be read, or does not " +
  "describe it. It must lie at a public https address."

const messages: Readonly<Record<string, string>> = {
  invalid_client: "The app is not known here: it did not register, or its registration ended unused.",
  invalid_redirect_uri: "The app asked for an answer at an address that it has not registered.",
  server_error: "Something went wrong here. Wait a little, then try again.",
  temporarily_unavailable: "The service cannot be reached at the moment. Wait a little, then try again.",
  slow_down: "Too many requests came from your address. Wait a minute, then try again."
}
