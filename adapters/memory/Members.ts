import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { IsoTime } from "../../core/coverage/date.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import { openAccount } from "../../core/organization/packChoice.ts"
import { packInForce } from "../../core/organization/renewal.ts"
import type { Role } from "../../core/organization/role.ts"
import type { Membership, PersonId } from "../../core/person/Person.ts"
import type { Invitation, Member } from "../../core/port/Members.ts"
import { Members } from "../../core/port/Members.ts"
import type { AccountState } from "./AccountStates.ts"
import { AccountStates } from "./AccountStates.ts"
import { setEntry } from "./Outbox.ts"
import { take } from "./taking.ts"

/** Memberships and invitations in the process, over the books the organizations are in. */
export const layer = Layer.effect(
  Members,
  Effect.map(AccountStates, (books) => {
    const state = makeState(books)
    return Members.of({
      of: (personId) => Effect.sync(() => membershipsOf(state, personId)),
      role: ({ organizationId, personId }) =>
        Effect.sync(() => state.members.get(placeOf(organizationId, personId))?.role),
      list: (organizationId) => Effect.map(instant, (now) => listOf(state, organizationId, now)),
      findInvitation: (invitationId) => Effect.map(instant, (now) => open(state, invitationId, now)),
      withdraw: ({ invitationId, organizationId }) =>
        Effect.suspend(() =>
          state.invitations.get(invitationId)?.organizationId === organizationId
            ? Effect.as(take(state.invitations, invitationId), true)
            : Effect.succeed(false)
        ),
      ...foundVerbs(state),
      ...inviteVerbs(state),
      ...changeVerbs(state)
    })
  })
)

interface SeatedMember extends Member {
  readonly organizationId: OrganizationId
}

interface State {
  readonly books: AccountStates["Service"]
  readonly members: Map<string, SeatedMember>
  readonly invitations: Map<string, Invitation>
  readonly founders: Map<OrganizationId, PersonId>
}
type Verbs = Members["Service"]

const makeState = (books: AccountStates["Service"]): State => ({
  books,
  members: new Map(),
  invitations: new Map(),
  founders: new Map()
})

const foundVerbs = (state: State): Pick<Verbs, "found" | "claim"> => ({
  found: Effect.fnUntraced(function* ({ organization, person, unpaidMax }) {
    const { createdAt, organizationId } = organization
    const nowMs = yield* Clock.currentTimeMillis
    if (unpaidOf(state, person.personId, nowMs) >= unpaidMax) return "too_many"
    const opened = openAccount(organization.pack, DateTime.makeUnsafe(createdAt).epochMilliseconds)
    const openedState: AccountState = {
      organization,
      account: opened.account,
      entries: [...opened.entries],
      usage: []
    }
    yield* setEntry(state.books.organizations, organizationId, openedState)
    yield* setEntry(state.founders, organizationId, person.personId)
    yield* addMember(state, { organizationId, person, role: "owner", joinedAt: createdAt })
    return "founded"
  }),
  claim: Effect.fnUntraced(function* (person) {
    const joinedAt = yield* instant
    const open = [...state.books.organizations.values()].filter(
      ({ organization }) =>
        organization.ownerEmail?.toLowerCase() === person.email &&
        membersIn(state, organization.organizationId).length === 0
    )
    for (const { organization } of open)
      yield* addMember(state, {
        organizationId: organization.organizationId,
        person,
        role: "owner",
        joinedAt
      })
    return open.map(({ organization }) => membershipOf(state, organization.organizationId, "owner"))
  })
})

const inviteVerbs = (state: State): Pick<Verbs, "invite" | "accept"> => ({
  invite: Effect.fnUntraced(function* ({ openMax, ...input }) {
    const now = yield* instant
    const { email, organizationId } = input
    if (membersIn(state, organizationId).some(({ person }) => person.email === email)) return "already_member"
    const earlier = [...state.invitations.values()].filter(
      (one) => one.organizationId === organizationId && (one.email === email || one.expiresAt <= now)
    )
    for (const { invitationId } of earlier) yield* take(state.invitations, invitationId)
    if (listOf(state, organizationId, now).invitations.length >= openMax) return "too_many"
    return yield* setEntry(
      state.invitations,
      input.invitationId,
      named(state, { ...input, organizationName: "" })
    )
  }),
  accept: Effect.fnUntraced(function* ({ invitationId, person }) {
    const joinedAt = yield* instant
    const invitation = open(state, invitationId, joinedAt)
    if (invitation === undefined) return "ended"
    if (invitation.email !== person.email) return "other_address"
    const { organizationId, role } = invitation
    yield* take(state.invitations, invitationId)
    const known = state.members.get(placeOf(organizationId, person.personId))
    if (known === undefined) yield* addMember(state, { organizationId, person, role, joinedAt })
    return membershipOf(state, organizationId, known?.role ?? role)
  })
})

const changeVerbs = (state: State): Pick<Verbs, "changeRole" | "remove"> => {
  const rejected = (place: Place, role: Role | null) => {
    const standing = state.members.get(placeOf(place.organizationId, place.personId))
    if (standing?.role !== place.was) return "unknown"
    const owners = membersIn(state, place.organizationId).filter((one) => one.role === "owner")
    return place.was === "owner" && role !== "owner" && owners.length === 1 ? "last_owner" : standing
  }
  return {
    changeRole: Effect.fnUntraced(function* (place) {
      const standing = rejected(place, place.role)
      if (typeof standing === "string") return standing
      yield* addMember(state, { ...standing, role: place.role })
      return "changed"
    }),
    remove: Effect.fnUntraced(function* (place) {
      const standing = rejected(place, null)
      if (typeof standing === "string") return standing
      yield* take(state.members, placeOf(place.organizationId, place.personId))
      return "removed"
    })
  }
}

interface Place {
  readonly organizationId: OrganizationId
  readonly personId: PersonId
  readonly was: Role
}

const placeOf = (organizationId: OrganizationId, personId: PersonId): string =>
  `${organizationId} ${personId}`

const addMember = (state: State, given: SeatedMember) =>
  setEntry(state.members, placeOf(given.organizationId, given.person.personId), given)

const membersIn = (state: State, organizationId: OrganizationId): ReadonlyArray<SeatedMember> =>
  [...state.members.values()].filter((one) => one.organizationId === organizationId)

const nameOf = (state: State, organizationId: OrganizationId): string =>
  state.books.organizations.get(organizationId)?.organization.name ?? ""

const membershipOf = (state: State, organizationId: OrganizationId, role: Role): Membership => ({
  organizationId,
  organizationName: nameOf(state, organizationId),
  role
})

const membershipsOf = (state: State, personId: PersonId): ReadonlyArray<Membership> =>
  [...state.members.values()]
    .filter(({ person }) => person.personId === personId)
    .map(({ organizationId, role }) => membershipOf(state, organizationId, role))
    .toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1))

const sortKey = ({ organizationId, organizationName }: Membership): string =>
  `${organizationName.toLowerCase()} ${organizationId}`

const named = (state: State, invitation: Invitation): Invitation => ({
  ...invitation,
  organizationName: nameOf(state, invitation.organizationId)
})

const open = (state: State, invitationId: string, now: IsoTime): Invitation | undefined => {
  const found = state.invitations.get(invitationId)
  return found !== undefined && found.expiresAt > now ? named(state, found) : undefined
}

const listOf = (state: State, organizationId: OrganizationId, now: IsoTime) => ({
  members: membersIn(state, organizationId).map(({ joinedAt, person, role }) => ({ joinedAt, person, role })),
  invitations: [...state.invitations.keys()]
    .flatMap((invitationId) => open(state, invitationId, now) ?? [])
    .filter((one) => one.organizationId === organizationId)
})

const unpaidOf = (state: State, personId: PersonId, nowMs: number): number =>
  [...state.books.organizations.values()].filter(
    ({ account, organization: { organizationId } }) =>
      packInForce(account, nowMs).pack === "credits" &&
      (state.founders.get(organizationId) === personId ||
        state.members.get(placeOf(organizationId, personId))?.role === "owner")
  ).length

const instant = Effect.map(DateTime.now, (now) => DateTime.formatIso(now) as IsoTime)
