import * as Effect from "effect/Effect"
import type { Organization, OrganizationId } from "../../../core/organization/Organization.ts"
import type { OrganizationChange, Organizations } from "../../../core/port/Organizations.ts"

type Verbs = Organizations["Service"]

/** A store of organizations with one planted mistake, made out of a right one; some law must notice it. */
export interface OrganizationsMutant {
  readonly says: string
  readonly spoil: (right: Verbs) => Verbs
}

/** Organizations as they are, shown wrongly by both verbs. */
const showing =
  (wrong: (organization: Organization) => Organization) =>
  (right: Verbs): Verbs => ({
    ...right,
    find: (id) => Effect.map(right.find(id), (found) => found && wrong(found)),
    change: (asked) => Effect.map(right.change(asked), (found) => found && wrong(found))
  })

/** A change that changes nothing. */
const deaf =
  (to: (change: OrganizationChange) => boolean) =>
  (right: Verbs): Verbs => ({
    ...right,
    change: (asked) => (to(asked.change) ? right.find(asked.organizationId) : right.change(asked))
  })

/** What it made, remembered beside the store or instead of it. */
const making =
  (spoil: (right: Verbs, made: Map<OrganizationId, Organization>) => Partial<Verbs>) =>
  (right: Verbs): Verbs => {
    const made = new Map<OrganizationId, Organization>()
    return {
      ...right,
      create: (organization) =>
        Effect.tap(right.create(organization), () =>
          Effect.sync(() => made.set(organization.organizationId, organization))
        ),
      ...spoil(right, made)
    }
  }

const nobody: Organization["name"] = "Nobody"

export const organizationsMutants: ReadonlyArray<OrganizationsMutant> = [
  { says: "forgets an organization's name", spoil: showing((found) => ({ ...found, name: "" })) },
  {
    says: "grants the starter credits of another month",
    spoil: (right) => ({
      ...right,
      create: (organization) => right.create({ ...organization, pack: "build" })
    })
  },
  {
    says: "lets a higher pack wait for the renewal",
    spoil: deaf((change) => change._tag === "Pack" && change.pack === "build")
  },
  {
    says: "applies a lower pack at once",
    spoil: showing((found) => ({ ...found, pack: found.nextPack ?? found.pack, nextPack: null }))
  },
  {
    says: "shows the pack it was made with until somebody writes the renewal down",
    spoil: making((right, made) => ({
      find: (id) =>
        Effect.map(right.find(id), (found) => found && { ...found, pack: made.get(id)?.pack ?? found.pack })
    }))
  },
  {
    says: "forgets why it was suspended",
    spoil: showing((found) => ({ ...found, suspendedReason: null }))
  },
  { says: "lifts no suspension", spoil: deaf(({ _tag }) => _tag === "Unsuspend") },
  { says: "does not hear of a cap", spoil: deaf(({ _tag }) => _tag === "OverageCap") },
  {
    says: "lifts no cap",
    spoil: deaf((change) => change._tag === "OverageCap" && change.cap === null)
  },
  { says: "keeps no bound on calls in flight", spoil: deaf(({ _tag }) => _tag === "ConcurrentMax") },
  {
    says: "lifts no bound on calls in flight",
    spoil: deaf((change) => change._tag === "ConcurrentMax" && change.max === null)
  },
  {
    says: "makes up organizations it has never heard of",
    spoil: making((right, made) => ({
      find: (id) =>
        Effect.map(right.find(id), (found) => {
          const [any] = made.values()
          return found ?? { ...(any ?? strangers), organizationId: id, name: nobody }
        })
    }))
  },
  {
    says: "keeps what it made to itself",
    spoil: making((right, made) => ({
      create: (organization) => Effect.sync(() => void made.set(organization.organizationId, organization)),
      find: (id) => Effect.map(right.find(id), (found) => found ?? made.get(id))
    }))
  }
]

const strangers: Organization = {
  organizationId: "org_00000000000000000000000000" as OrganizationId,
  name: nobody,
  pack: "credits",
  nextPack: null,
  suspended: false,
  suspendedReason: null,
  concurrentMax: null,
  ownerEmail: null,
  createdAt: "2026-01-01T00:00:00.000Z" as Organization["createdAt"]
}
