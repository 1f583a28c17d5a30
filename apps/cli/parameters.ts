import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import type { OrganizationId } from "../../core/organization/Organization.ts"

/** The organization a command is about. Any text is an id until the store knows none such. */
export const organizationArgument = Argument.String("org").pipe(
  Argument.map((text) => text as OrganizationId),
  Argument.withDescription("The organization's id, org_…")
)

/** The organization a new key belongs to. */
export const organizationFlag = Flag.String("org").pipe(
  Flag.map((text) => text as OrganizationId),
  Flag.withDescription("The organization's id, org_…")
)

/** Why something was suspended or revoked, for the operator's own memory. */
export const reasonFlag = Flag.String("reason").pipe(
  Flag.withDescription("Why, in 1 to 200 characters"),
  Flag.optional
)
