import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { editTables } from "../../core/coverage/editTables.ts"
import { packNames } from "../../core/organization/pack.ts"
import { printAnswer, Json } from "./Answer.ts"
import { overStores } from "./overStores.ts"
import * as database from "./database.ts"
import { amountField, concurrentField, editionField, emailField, optionalField, textField } from "./fields.ts"
import { importCodesFrom, importEditsFrom, importFrom, sources } from "./imports.ts"
import type { CodeSourceName, EditSourceName, SourceName } from "./imports.ts"
import { keys } from "./keyCommands.ts"
import { releases } from "./releaseCommands.ts"
import * as organizations from "./organizations.ts"
import { organizationArgument, reasonFlag } from "./parameters.ts"
import { webhooks } from "./webhookCommands.ts"

const config = Command.make("config", {}, () => printAnswer(database.config)).pipe(
  Command.withDescription("List the environment variables the service reads, with their values in force")
)

const migrate = Command.make("migrate", {}, () => printAnswer(database.migrate)).pipe(
  Command.withDescription("Bring the database's schema up to date")
)

const pathArgument = (source: keyof typeof sources) =>
  Argument.String(sources[source].argument).pipe(Argument.withDescription("Where it lies on this machine"))

const importOne = (source: SourceName) =>
  Command.make(source, { path: pathArgument(source) }, ({ path }) =>
    printAnswer(importFrom(source, path))
  ).pipe(
    Command.withDescription(sources[source].describes),
    Command.withExamples([{ command: sources[source].example }])
  )

const editionFlag = Flag.String("edition").pipe(
  Flag.withDescription("The days that the file speaks of, FROM..TO; the year that it says unless said"),
  Flag.optional
)

const importCodes = (source: CodeSourceName) =>
  Command.make(source, { path: pathArgument(source), edition: editionFlag }, ({ edition, path }) =>
    printAnswer(
      Effect.gen(function* () {
        const stated = yield* optionalField(edition, editionField)
        return yield* importCodesFrom(source, { path, edition: stated ?? undefined })
      })
    )
  ).pipe(
    Command.withDescription(sources[source].describes),
    Command.withExamples([{ command: sources[source].example }])
  )

const serviceFlag = Flag.Literals("service", editTables).pipe(
  Flag.withDescription("Whose services the table speaks of; what the file's name says unless said"),
  Flag.optional
)

const importEdits = (source: EditSourceName) =>
  Command.make(source, { path: pathArgument(source), service: serviceFlag }, ({ path, service }) =>
    printAnswer(importEditsFrom(source, { path, service: Option.getOrNull(service) }))
  ).pipe(
    Command.withDescription(sources[source].describes),
    Command.withExamples([{ command: sources[source].example }])
  )

const imports = Command.make("import").pipe(
  Command.withDescription("Import published sources; the same bytes are imported once"),
  Command.withSubcommands([
    importOne("mcd"),
    importCodes("hcpcs"),
    importCodes("icd10cm"),
    importCodes("pfs"),
    importOne("policies"),
    importOne("prior-auth"),
    importOne("ncd-codes"),
    importEdits("ncci"),
    importEdits("mue")
  ])
)

const createFlags = {
  name: Flag.String("name").pipe(Flag.withDescription("The organization's name, 1 to 200 characters")),
  pack: Flag.Literals("pack", packNames).pipe(
    Flag.withDescription("The pack it begins with; credits unless said"),
    Flag.withDefault("credits")
  ),
  owner: Flag.String("owner").pipe(Flag.withDescription("The owner's email address"), Flag.optional)
}

const createOrganization = Command.make("create", createFlags, ({ name, owner, pack }) =>
  printAnswer(
    Effect.gen(function* () {
      const input = {
        name: yield* textField("--name", name),
        pack,
        ownerEmail: yield* optionalField(owner, emailField)
      }
      return yield* overStores(organizations.create(input))
    })
  )
).pipe(Command.withDescription("Make an organization with its starter credits"))

const organization = organizationArgument

const show = Command.make("show", { organization }, (named) =>
  printAnswer(overStores(organizations.show(named.organization)))
).pipe(Command.withDescription("Show an organization, its pack and its credits"))

const suspend = Command.make("suspend", { organization, reason: reasonFlag }, (named) =>
  printAnswer(
    Effect.gen(function* () {
      const reason = yield* optionalField(named.reason, (text) => textField("--reason", text))
      return yield* overStores(organizations.change(named.organization, { _tag: "Suspend", reason }))
    })
  )
).pipe(Command.withDescription("Suspend an organization: its keys answer AUTH_KEY_SUSPENDED within a second"))

const unsuspend = Command.make("unsuspend", { organization }, (named) =>
  printAnswer(overStores(organizations.change(named.organization, { _tag: "Unsuspend" })))
).pipe(Command.withDescription("Lift an organization's suspension"))

const packArgument = Argument.Literals("pack", packNames).pipe(Argument.withDescription("The pack to choose"))

const choosePack = Command.make("pack", { organization, pack: packArgument }, (named) =>
  printAnswer(overStores(organizations.choosePack(named.organization, named.pack)))
).pipe(Command.withDescription("Choose a pack: a higher one applies at once, a lower one at renewal"))

const callsArgument = Argument.String("calls").pipe(
  Argument.withDescription("How many calls may be in flight at once; none lifts the bound")
)

const limit = Command.make("limit", { organization, calls: callsArgument }, (named) =>
  printAnswer(
    Effect.gen(function* () {
      const max = yield* concurrentField(named.calls)
      return yield* overStores(organizations.limit(named.organization, max))
    })
  )
).pipe(Command.withDescription("Bound an organization's calls in flight below its pack's"))

const org = Command.make("org").pipe(
  Command.withDescription("Make, show and change organizations"),
  Command.withSubcommands([createOrganization, show, suspend, unsuspend, choosePack, limit])
)

const amountArgument = Argument.String("amount").pipe(Argument.withDescription("Credits, 1 to 1000000000"))

const grant = Command.make("grant", { organization, amount: amountArgument }, (named) =>
  printAnswer(
    Effect.gen(function* () {
      const amount = yield* amountField(named.amount)
      return yield* overStores(organizations.grant(named.organization, amount))
    })
  )
).pipe(Command.withDescription("Give an organization credits, once for every run"))

const credits = Command.make("credits").pipe(
  Command.withDescription("Give credits"),
  Command.withSubcommands([grant])
)

const ledger = Command.make("ledger", { organization }, (named) =>
  printAnswer(overStores(organizations.ledger(named.organization)))
).pipe(
  Command.withDescription("Sum an organization's ledger: granted - charged + refunded - expired = balance")
)

const demo = Command.make("demo", {}, () =>
  printAnswer(
    Effect.flatMap(
      Effect.promise(() => import("./demo.ts")),
      (module) => overStores(module.demo)
    )
  )
).pipe(Command.withDescription("Make an organization, a key and the sample library, with a call to try"))

/** The operator's command line (contract §4). */
export const commandLine = Command.make("cli").pipe(
  Command.withDescription("Operates the Coverage-Policy API, beside a running server or alone"),
  Command.withSubcommands([config, migrate, demo, imports, org, credits, keys, ledger, releases, webhooks]),
  Command.withGlobalFlags([Json])
)
