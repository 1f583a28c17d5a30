import * as Effect from "effect/Effect"
import { Mailbox } from "../../adapters/memory/Mail.ts"
import type { People } from "../../core/port/People.ts"
import { openSite } from "./useSite.ts"
import type { Site } from "./useSite.ts"

/** What pages believe to be at; the socket itself is on a port of the system's choice. */
export const baseUrl = "https://api.coverage.example"

/** The service with its pages and its emails. */
export interface Pages extends Site {
  /** The text of the newest email to the address. */
  readonly emailTo: (email: string) => Promise<string | undefined>
}

/** Starts it; `people` stand in for those in memory. */
export const servePages = async (
  input: {
    readonly baseUrl?: string
    readonly people?: People["Service"]
    readonly mailIsLogged?: boolean
  } = {}
): Promise<Pages> => {
  const site = await openSite(input.baseUrl ?? baseUrl, input.people, input.mailIsLogged)
  const newest = (email: string) =>
    Effect.map(Mailbox, ({ emails }) => emails.findLast(({ to }) => to === email)?.text)
  return { ...site, emailTo: (email) => site.run(newest(email)) }
}
