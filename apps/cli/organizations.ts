import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { isoTimeOf } from "../../core/coverage/date.ts"
import type { Organization, OrganizationId } from "../../core/organization/Organization.ts"
import type { PackName } from "../../core/organization/pack.ts"
import { packs } from "../../core/organization/pack.ts"
import { takesEffectMs } from "../../core/organization/renewal.ts"
import type { Statement } from "../../core/organization/statement.ts"
import type { Kind } from "../../core/phi/kinds.ts"
import { identifierSays } from "../../core/phi/storedText.ts"
import { Crypto } from "../../core/port/Crypto.ts"
import { idRandomBytes, timeId } from "../../core/id/timeId.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import type { OrganizationChange } from "../../core/port/Organizations.ts"
import { Organizations } from "../../core/port/Organizations.ts"
import { asOperator, packChange } from "../../core/admin/asOperator.ts"
import type { OperatorAction } from "../../core/admin/asOperator.ts"
import { createOrganization } from "../../core/admin/newOrganization.ts"
import type { Answer } from "./Answer.ts"
import { refuse } from "./CommandRefused.ts"
import { alignColumns, withThousands } from "./table.ts"

/** `org create`: made as by sign-up, so with the starter credits (§1). */
export const create = (input: {
  readonly name: string
  readonly pack: PackName
  readonly ownerEmail: string | null
}) =>
  createOrganization(input).pipe(
    Effect.catchTag("NameNotAllowed", ({ kinds }) => nameNotAllowed(kinds)),
    Effect.flatMap((organization) => answerFor(organization))
  )

/** The name of an organization or a key contains what looks like a patient identifier (phi.md). */
export const nameNotAllowed = (kinds: ReadonlyArray<Kind>) =>
  refuse("PHI_NOT_ALLOWED", `--name: ${identifierSays(kinds)}`)

/** `org show` */
export const show = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  const organization = yield* (yield* Organizations).find(organizationId)
  return yield* organization === undefined ? unknownOrganization : answerFor(organization)
})

/** `org suspend`, `org unsuspend` */
export const change = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  wanted: OrganizationChange
) {
  const organization = yield* (yield* Organizations).change({ organizationId, change: wanted })
  return yield* organization === undefined ? unknownOrganization : answerFor(organization)
})

/** `org pack`: a higher pack applies at once, a lower one at renewal (contract §1, Limits and money). */
export const choosePack = Effect.fnUntraced(function* (organizationId: OrganizationId, pack: PackName) {
  const organizations = yield* Organizations
  const nowMs = yield* Clock.currentTimeMillis
  const choosing = organizations.change({ organizationId, change: { _tag: "Pack", pack, nowMs } })
  const organization = yield* asOperator(choosing, (chosen) => packChange(organizationId, chosen))
  if (organization === undefined) return yield* unknownOrganization
  const { json, text } = yield* answerFor(organization)
  const at = isoTimeOf(takesEffectMs(organization, nowMs))
  const { nextPack } = organization
  const when =
    nextPack === null
      ? `${packs[organization.pack].title} is in force now.`
      : `${packs[nextPack].title} takes effect at ${at}; until then ${packs[organization.pack].title} stays.`
  return { json: { ...json, takes_effect: at }, text: [...text, "", when] } satisfies Answer
})

/** `org limit`: the operator's own bound on calls in flight, which the answer then names; null lifts it. */
export const limit = (organizationId: OrganizationId, max: number | null) =>
  Effect.map(
    change(organizationId, { _tag: "ConcurrentMax", max }),
    ({ json, text }): Answer => ({
      json: { ...json, concurrent_max: max },
      text
    })
  )

/** `credits grant`: every run of it grants anew. */
export const grant = Effect.fnUntraced(function* (organizationId: OrganizationId, amount: number) {
  const atMs = yield* Clock.currentTimeMillis
  const randomBytes = (yield* Crypto).randomBytes(idRandomBytes)
  const grantId = timeId({ nowMs: atMs, randomBytes })
  const granting = (yield* Ledger).grant({ organizationId, amount, grantId, atMs })
  const statement = yield* asOperator(
    granting,
    (granted): OperatorAction | undefined =>
      granted && { organizationId, action: "credits.granted", subject: `${amount} credits`, detail: null }
  )
  if (statement === undefined) return yield* unknownOrganization
  return {
    json: { organization_id: organizationId, credits: statement.balance },
    text: [
      `${organizationId} was granted ${withThousands(amount)} credits and now has ${withThousands(statement.balance)}.`
    ]
  } satisfies Answer
})

/** `ledger`: granted - charged + refunded - expired = balance. */
export const ledger = (organizationId: OrganizationId) =>
  Effect.map(statementOf(organizationId), (statement): Answer => {
    const { balance, charged, entries, expired, granted, refunded } = statement
    return {
      json: { organization_id: organizationId, granted, charged, refunded, expired, balance, entries },
      text: columns([
        ["granted", granted],
        ["charged", 0 - charged],
        ["refunded", refunded],
        ["expired", 0 - expired],
        ["balance", balance],
        ["entries", entries]
      ])
    }
  })

/** Whoever names an organization that is not there is told where its id comes from. */
export const unknownOrganization = refuse(
  "RESOURCE_NOT_FOUND",
  "There is no organization with this id: `org create` says the id of the one it makes."
)

const statementOf = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  const nowMs = yield* Clock.currentTimeMillis
  const statement = yield* (yield* Ledger).statement({ organizationId, nowMs })
  return statement ?? (yield* unknownOrganization)
})

const answerFor = (organization: Organization) =>
  Effect.map(
    statementOf(organization.organizationId),
    (statement): Answer => ({
      json: {
        organization_id: organization.organizationId,
        name: organization.name,
        pack: organization.pack,
        credits: statement.balance
      },
      text: described(organization, statement)
    })
  )

const described = (organization: Organization, { balance }: Statement): ReadonlyArray<string> => {
  const { concurrentMax, nextPack, ownerEmail, pack, suspended, suspendedReason } = organization
  const rows: ReadonlyArray<readonly [string, string | false | null]> = [
    ["organization", organization.organizationId],
    ["name", organization.name],
    ["pack", packs[pack].title + (nextPack === null ? "" : ` (${packs[nextPack].title} from its renewal)`)],
    ["credits", withThousands(balance)],
    ["owner", ownerEmail],
    ["calls in flight", concurrentMax !== null && `at most ${withThousands(concurrentMax)}`],
    ["suspended", suspended && (suspendedReason ?? "yes")]
  ]
  return alignColumns(rows.flatMap(([label, value]) => (typeof value === "string" ? [[label, value]] : [])))
}

/** Labels and figures, the figures flush right. */
const columns = (rows: ReadonlyArray<readonly [string, number]>): ReadonlyArray<string> => {
  const figures = rows.map(([, count]) => withThousands(count))
  const width = Math.max(...figures.map((figure) => figure.length))
  return alignColumns(rows.map(([label], index) => [label, (figures[index] ?? "").padStart(width)]))
}
