import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { highest, dueNotices, unsentNotices } from "../../core/notice/due.ts"
import type { Facts } from "../../core/notice/due.ts"
import { judgeSignIn, signInNotice } from "../../core/notice/signIn.ts"
import type { OrganizationId } from "../../core/organization/Organization.ts"
import type { Member } from "../../core/port/Members.ts"
import { Members } from "../../core/port/Members.ts"
import { Notices, noticesKeptMs, NoticesUnavailable, shownMax, shownMs } from "../../core/port/Notices.ts"
import type { AccountState } from "./AccountStates.ts"
import { AccountStates } from "./AccountStates.ts"
import type { Recipient } from "./NoticeState.ts"
import { receivesNotices, keepNotice, NoticeState } from "./NoticeState.ts"
import { Outbox } from "./Outbox.ts"

/** Notices in the process: everything is looked at, every time. */
export const layer = Layer.effect(
  Notices,
  Effect.gen(function* () {
    const states = yield* AccountStates
    const outbox = yield* Outbox
    const members = yield* Members
    const kept = yield* NoticeState
    const toldTo = (organizationId: OrganizationId) =>
      [...kept.notices.values()].filter((notice) => notice.organizationId === organizationId)
    return Notices.of({
      observe: Effect.fnUntraced(
        function* (nowMs) {
          let keptNow = 0
          for (const [organizationId, state] of states.organizations) {
            const recipients = recipientsOf((yield* members.list(organizationId)).members, state)
            const organizationName = state.organization.name
            for (const facts of factsOf(organizationId, { states, outbox })) {
              for (const notice of unsentNotices(dueNotices(facts, nowMs), toldTo(organizationId))) {
                const own = { ...notice, organizationId, organizationName, personId: null, atMs: nowMs }
                keepNotice(kept, own, recipients)
                keptNow += 1
              }
            }
          }
          return keptNow
        },
        Effect.mapError(({ fault }) => new NoticesUnavailable({ fault }))
      ),
      signedIn: (signIn) =>
        Effect.sync(() => {
          const { device, nowMs } = signIn
          const { email, personId } = signIn.person
          const seen = kept.devices.get(personId) ?? []
          const judgement = judgeSignIn(seen, signIn)
          const others = seen.filter((one) => one.device !== device)
          kept.devices.set(personId, [...others, { device, seenAtMs: nowMs }])
          if (judgement === "new") {
            const own = { ...signInNotice(signIn), organizationId: null, organizationName: null, personId }
            keepNotice(kept, { ...own, atMs: nowMs }, [{ personId, email }])
          }
          return judgement
        }),
      list: ({ organizationId, personId, nowMs }) =>
        Effect.sync(() =>
          highest(
            [...kept.notices.values()]
              .filter((one) => one.organizationId === organizationId || one.personId === personId)
              .filter((one) => one.atMs > nowMs - shownMs)
              .toReversed()
          )
            .filter(({ noticeId }) => !kept.dismissed.has(`${noticeId} ${personId}`))
            .slice(0, shownMax)
            .map(({ personId: _, ...notice }) => notice)
        ),
      dismiss: ({ noticeId, organizationId, personId }) =>
        Effect.sync(() => {
          const found = kept.notices.get(noticeId)
          if (found?.organizationId !== organizationId && found?.personId !== personId) return false
          kept.dismissed.add(`${noticeId} ${personId}`)
          return true
        }),
      forget: (nowMs) =>
        Effect.sync(() => {
          const waiting = new Set([...kept.emails.values()].map(({ noticeId }) => noticeId))
          const old = [...kept.notices.values()].filter(
            ({ atMs, noticeId }) => atMs < nowMs - noticesKeptMs && !waiting.has(noticeId)
          )
          for (const { noticeId } of old) kept.notices.delete(noticeId)
          return old.length
        })
    })
  })
)

const factsOf = (
  organizationId: OrganizationId,
  { states, outbox }: { readonly states: AccountStates["Service"]; readonly outbox: Outbox["Service"] }
): ReadonlyArray<Facts> => {
  const state = states.organizations.get(organizationId)
  if (state === undefined) return []
  const endpoints = [...outbox.endpoints.values()].filter((one) => one.organizationId === organizationId)
  const keys = [...states.keys.values()].filter((one) => one.organizationId === organizationId)
  return [
    { _tag: "Account", account: state.account, ...grantedTo(state) },
    ...endpoints.map((endpoint): Facts => {
      const last = [...outbox.deliveries.values()]
        .map(({ delivery }) => delivery)
        .filter((one) => one.endpointId === endpoint.endpointId && one.attempts > 0)
        .at(-1)
      return {
        _tag: "Endpoint",
        endpoint,
        lastStatus: last?.httpStatus ?? null,
        lastError: last?.error ?? null
      }
    }),
    ...keys.flatMap(
      ({ createdAt, expiresAt, keyId, mark, name }): ReadonlyArray<Facts> =>
        expiresAt === null
          ? []
          : [{ _tag: "Key", keyId, mark, name, createdAtMs: msOf(createdAt), expiresAtMs: msOf(expiresAt) }]
    )
  ]
}

const grantedTo = ({ account, entries }: AccountState) => {
  const grants = entries.filter(({ kind, reference }) => kind === "grant" && !reference.startsWith("req_"))
  const sum = (some: typeof grants): number => some.reduce((total, { amount }) => total + amount, 0)
  return {
    granted: sum(grants.filter((one) => one.source === "allowance" && one.renewsAtMs === account.renewsAtMs)),
    bought: sum(grants.filter((one) => one.source === "purchased"))
  }
}

const recipientsOf = (
  members: ReadonlyArray<Member>,
  { organization }: AccountState
): ReadonlyArray<Recipient> => {
  const people = members.filter(({ role }) => receivesNotices(role)).map(({ person }) => person)
  if (people.length > 0) return people.map(({ email, personId }) => ({ personId, email }))
  return organization.ownerEmail === null ? [] : [{ personId: null, email: organization.ownerEmail }]
}

const msOf = (iso: string): number => DateTime.toEpochMillis(DateTime.makeUnsafe(iso))
