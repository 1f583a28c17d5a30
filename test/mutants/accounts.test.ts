import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { DayUses } from "../../core/port/DayUses.ts"
import { Keys, KeysUnavailable } from "../../core/port/Keys.ts"
import { Ledger } from "../../core/port/Ledger.ts"
import { Organizations, OrganizationsUnavailable } from "../../core/port/Organizations.ts"
import { memoryAccounts } from "../kit/accounts.ts"
import { memoryUsage } from "../kit/dayUses.ts"
import { dayUsesLaws, sharedDayUsesLaws } from "../kit/dayUsesLaws.ts"
import { assignLaws } from "../kit/assignLaws.ts"
import { absentKeysLaws, keysLaws, promptKeysLaws, sharedKeysLaws } from "../kit/keysLaws.ts"
import type { Verbs } from "../kit/mutants/dayUses.ts"
import { dayUsesMutants } from "../kit/mutants/dayUses.ts"
import { keysMutants } from "../kit/mutants/keys.ts"
import { organizationsMutants } from "../kit/mutants/organizations.ts"
import { organizationsLaws, sharedOrganizationsLaws } from "../kit/organizationsLaws.ts"
import { lawsTrial } from "./trial.ts"

const keys = (spoil: (right: Keys["Service"]) => Keys["Service"]) =>
  Layer.effect(Keys, Effect.map(Keys, spoil)).pipe(Layer.provideMerge(memoryAccounts))

lawsTrial({
  of: "keys",
  laws: [...keysLaws, ...assignLaws, ...sharedKeysLaws, ...promptKeysLaws],
  mutants: keysMutants.map(({ says, spoil }) => ({ says, planted: keys(spoil) })),
  sound: memoryAccounts
})

const organizations = (spoil: (right: Organizations["Service"]) => Organizations["Service"]) =>
  Layer.effect(Organizations, Effect.map(Organizations, spoil)).pipe(Layer.provideMerge(memoryAccounts))

lawsTrial({
  of: "organizations",
  laws: [...organizationsLaws, ...sharedOrganizationsLaws],
  mutants: organizationsMutants.map(({ says, spoil }) => ({ says, planted: organizations(spoil) })),
  sound: memoryAccounts
})

const keysAway = () => Effect.fail(new KeysUnavailable({ fault: "unreachable" }))
const organizationsAway = () => Effect.fail(new OrganizationsUnavailable({ fault: "unreachable" }))
const away = Layer.merge(
  Layer.succeed(Keys, {
    find: keysAway,
    issue: keysAway,
    change: keysAway,
    assign: keysAway,
    retire: keysAway,
    list: keysAway
  }),
  Layer.succeed(Organizations, {
    create: organizationsAway,
    find: organizationsAway,
    change: organizationsAway
  })
)
const stillAnswering = (spoil: (right: Keys["Service"]) => Partial<Keys["Service"]>) =>
  Layer.effect(
    Keys,
    Effect.map(Keys, (right) => ({ ...right, ...spoil(right) }))
  ).pipe(Layer.provideMerge(away))

lawsTrial({
  of: "keys and organizations that are unavailable",
  laws: absentKeysLaws,
  mutants: [
    { says: "finds nothing instead", planted: stillAnswering(() => ({ find: () => Effect.undefined })) },
    { says: "lists nothing instead", planted: stillAnswering(() => ({ list: () => Effect.succeed([]) })) },
    {
      says: "waits for the store to come back",
      planted: stillAnswering(() => ({ find: () => Effect.never }))
    },
    {
      says: "takes it for a refusal",
      planted: stillAnswering(() => ({
        change: () => Effect.fail(new KeysUnavailable({ fault: "refused" }))
      }))
    }
  ],
  sound: away
})

const usage = (spoil: (right: Verbs) => Verbs) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const { dayUses, ledger } = spoil({ dayUses: yield* DayUses, ledger: yield* Ledger })
      return Context.make(DayUses, dayUses).pipe(Context.add(Ledger, ledger))
    })
  ).pipe(Layer.provideMerge(memoryUsage))

lawsTrial({
  of: "the day's use",
  laws: [...dayUsesLaws, ...sharedDayUsesLaws],
  mutants: dayUsesMutants.map(({ says, spoil }) => ({ says, planted: usage(spoil) })),
  sound: memoryUsage
})
