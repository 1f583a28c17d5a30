import * as Cause from "effect/Cause"
import type * as CliError from "effect/cli/CliError"
import * as Option from "effect/Option"
import type { SqlError } from "effect/sql/SqlError"
import type { CmsFileMalformed } from "../../adapters/cms/CmsFileMalformed.ts"
import type { PayerFileMalformed } from "../../adapters/payer/PayerFileMalformed.ts"
import type { StoreFailed } from "../../adapters/postgres/Database.ts"
import type { EmbeddedRefused } from "../../adapters/postgres/embedded.ts"
import type { DatabaseRefused } from "../../adapters/postgres/suitable.ts"
import { faultCodes } from "../../core/error/fault.ts"
import type { AuditUnavailable } from "../../core/port/Audit.ts"
import type { CodesUnavailable } from "../../core/port/Codes.ts"
import type { KeysUnavailable } from "../../core/port/Keys.ts"
import type { LedgerUnavailable } from "../../core/port/Ledger.ts"
import type { NcdCodesUnavailable } from "../../core/port/NcdCodes.ts"
import type { OrganizationsUnavailable } from "../../core/port/Organizations.ts"
import type { PoliciesUnavailable } from "../../core/port/Policies.ts"
import type { PriorAuthListsUnavailable } from "../../core/port/PriorAuthLists.ts"
import type { ReleasesUnavailable } from "../../core/port/Releases.ts"
import type { SigningKeysUnavailable } from "../../core/port/SigningKeys.ts"
import type { SnapshotsUnavailable } from "../../core/port/Snapshots.ts"
import type { TransactionsUnavailable } from "../../core/port/Transactions.ts"
import type { StoreFault } from "../../core/error/StoreFault.ts"
import type { NothingToCertify } from "../../core/admin/certify.ts"
import type { SnapshotOlder } from "../../core/import/SnapshotOlder.ts"
import { commandLine } from "./commands.ts"
import type { Report } from "./misuse.ts"
import { misuse } from "./misuse.ts"
import type { CommandCode, CommandRefused } from "./CommandRefused.ts"

/** Every way a command can fail; one that is not listed does not compile. */
export type CommandFailure =
  | CommandRefused
  | CliError.CliError
  | CmsFileMalformed
  | PayerFileMalformed
  | DatabaseRefused
  | EmbeddedRefused
  | SqlError
  | StoreFailed
  | AuditUnavailable
  | KeysUnavailable
  | OrganizationsUnavailable
  | LedgerUnavailable
  | PoliciesUnavailable
  | CodesUnavailable
  | PriorAuthListsUnavailable
  | SnapshotsUnavailable
  | NcdCodesUnavailable
  | TransactionsUnavailable
  | SnapshotOlder
  | ReleasesUnavailable
  | SigningKeysUnavailable
  | NothingToCertify

/**
 * The code and the one sentence of a failure (contract §4); undefined: the operator interrupted the command.
 */
export const reportOf = (cause: Cause.Cause<CommandFailure>): Report | undefined => {
  const failure = Cause.findErrorOption(cause)
  if (Option.isSome(failure)) return reportFailure(failure.value)
  return Cause.hasInterruptsOnly(cause)
    ? undefined
    : { code: "SERVER_INTERNAL_ERROR", message: defect(cause) }
}

const reportFailure = (failure: CommandFailure): Report => {
  if ("fault" in failure) return storeReport(failure.fault)
  switch (failure._tag) {
    case "CommandRefused":
      return { code: failure.code as CommandCode, message: failure.message }
    case "ShowHelp":
      return misuse(commandLine, failure)
    case "CmsFileMalformed": {
      const line = failure.line === null ? "" : `, line ${failure.line}`
      return { code: "IMPORT_MALFORMED", message: `${failure.file}${line}: ${failure.reason}.` }
    }
    case "PayerFileMalformed":
      return { code: "IMPORT_MALFORMED", message: payerSentence(failure) }
    case "SnapshotOlder":
      return { code: "IMPORT_OLDER", message: olderSentence(failure) }
    case "NothingToCertify":
      return { code: "RESOURCE_NOT_FOUND", message: lacking[failure.lacks] }
    case "DatabaseRefused":
    case "EmbeddedRefused":
      return { code: "SERVER_UNAVAILABLE", message: failure.message }
    case "SqlError":
      return storeReport("unreachable")
    case "UnrecognizedOption":
    case "DuplicateOption":
    case "MissingOption":
    case "MissingArgument":
    case "UnexpectedArgument":
    case "InvalidValue":
    case "UnknownSubcommand":
    case "ValidationError":
    case "UserError":
      return { code: "VALIDATION_ERROR", message: "The command cannot be read; `cli --help` says more." }
  }
}

/** So many faults are told in one go; a file that has more is wrong throughout. */
const faultsShown = 20

const payerSentence = ({ faults, file }: PayerFileMalformed): string => {
  const told = faults.slice(0, faultsShown).map(({ line, pointer, reason }) => {
    const place = [line === null ? "" : `line ${line}`, pointer].filter((part) => part !== "").join(" at ")
    return place === "" ? reason : `${place}: ${reason}`
  })
  const more = faults.length - told.length
  return `${file}: ${told.join("; ")}${more > 0 ? `; and ${more} more` : ""}.`
}

const olderSentence = ({ knownAsOf, sourceAsOf }: SnapshotOlder): string =>
  `This source is of ${sourceAsOf} and one of ${knownAsOf} was imported before: ` +
  "import sources in their order; nothing was changed."

const lacking: Readonly<Record<NothingToCertify["lacks"], string>> = {
  imports: "Nothing was imported that a release could be made of: `import` comes first.",
  later_sources: "What was imported does not reach that day: a release says no more than its sources.",
  decisions: "No policy in force on that day lists a code: there is nothing to certify."
}

const storeReport = (fault: StoreFault): Report => ({ code: faultCodes[fault], message: storeFaults[fault] })

const storeFaults: Readonly<Record<StoreFault, string>> = {
  unreachable: "The database does not answer: check DATABASE_URL and that PostgreSQL runs.",
  refused: "The database refused a statement: its log says why.",
  timeout: "The database took too long and the work was given up: try again when it is less busy.",
  unknown_outcome:
    "The database became unavailable while the change was written: check whether it happened before trying again."
}

/** A bug: the class of what was thrown and where; its message may hold what was typed and is left out. */
const defect = (cause: Cause.Cause<unknown>): string => {
  const thrown = Cause.squash(cause)
  const frame =
    thrown instanceof Error
      ? thrown.stack?.split("\n").find((line) => /\/(core|adapters|apps)\//.test(line))
      : undefined
  const where =
    frame === undefined ? "" : ` at ${frame.trim().replace(/^.*\/((core|adapters|apps)\/[^)]*)\)?$/, "$1")}`
  const name = thrown instanceof Error ? thrown.name : "unknown"
  return `The command broke, which is a fault of ours (${name}${where}).`
}
