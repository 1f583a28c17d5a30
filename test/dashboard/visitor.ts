import * as Effect from "effect/Effect"
import { Mailbox } from "../../adapters/memory/Mail.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { PackName } from "../../core/organization/pack.ts"
import type { Role } from "../../core/organization/role.ts"
import type { Actor, Person } from "../../core/person/Person.ts"
import { Members } from "../../core/port/Members.ts"
import { Organizations } from "../../core/port/Organizations.ts"
import { People } from "../../core/port/People.ts"
import { newOrganization } from "../../core/admin/newOrganization.ts"
import { siteUrl } from "./useSite.ts"
import type { Site } from "./useSite.ts"

const device = { address: "192.0.2.1", agent: null }

/** Signs somebody up and opens the link of the letter; answers who they are and their cookie. */
export const signedUp = Effect.fnUntraced(function* (name: string) {
  const email = `${name.toLowerCase()}@clinic.example`
  const people = yield* People
  const password = "four words make one"
  yield* people.signUp({ name, email, password, next: null })
  const { text } = yield* (yield* Mailbox).next(email, 0)
  const token = /[?&]token=([^\s&]+)/.exec(text)?.[1] ?? ""
  const verified = yield* people.verify({ token: decodeURIComponent(token), password, device })
  if (verified._tag !== "SignedIn") throw new Error("the link of the letter signs in")
  const cookie = verified.cookies.map((line) => line.split(";")[0]).join("; ")
  return { person: verified.person, cookie }
})

/** An organization of a pack with its owner. */
export const newOrganizationOf = Effect.fnUntraced(function* (person: Person, pack: PackName = "credits") {
  const organization = yield* newOrganization({ name: "Example Clinic", pack: "credits", ownerEmail: null })
  yield* (yield* Members).found({ organization, person, unpaidMax: 3 })
  const { organizationId } = organization
  const nowMs = Date.now()
  if (pack !== "credits")
    yield* (yield* Organizations).change({ organizationId, change: { _tag: "Pack", pack, nowMs } })
  return { person, organizationId, role: "owner" } satisfies Actor
})

/** Somebody who joins an organization in a role. */
export const joinOrganization = Effect.fnUntraced(function* (
  person: Person,
  organizationId: OrganizationId,
  role: Role
) {
  const members = yield* Members
  const invitationId = `invitation-${person.personId}`
  const expiresAt = "2999-01-01T00:00:00.000Z" as never
  yield* members.invite({
    ...{ invitationId, organizationId, role, invitedBy: "test", expiresAt },
    ...{ email: person.email, openMax: 10 }
  })
  yield* members.accept({ invitationId, person })
  return { person, organizationId, role } satisfies Actor
})

/** A page as it came. */
export interface PageSeen {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Where it leads on, for 303. */
  readonly to: string | null
}

/** Asks for pages and sends forms as a browser with this cookie does. */
export const visitorOf = (site: Site, cookie: string) => {
  const ask = async (path: string, init: RequestInit = {}): Promise<PageSeen> => {
    const response = await fetch(site.url + path, {
      ...init,
      redirect: "manual",
      headers: { cookie, ...(init.headers as Record<string, string> | undefined) }
    })
    const { headers, status } = response
    return { status, headers, text: await response.text(), to: headers.get("location") }
  }
  return {
    see: (path: string) => ask(path),
    send: (path: string, form: Readonly<Record<string, string>> = {}) =>
      ask(path, {
        method: "POST",
        body: new URLSearchParams(form).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded", origin: siteUrl }
      })
  }
}

export type Visitor = ReturnType<typeof visitorOf>
