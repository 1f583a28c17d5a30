import { organizationNameMax } from "../../../core/person/form.ts"
import type { NameFault } from "../../../core/workflow/managing/organizations.ts"
import type { Fault } from "../fields.ts"
import { requiredText } from "../fields.ts"

const missing = "Write a name for the organization."

/** The name of an organization. */
export const nameField = requiredText({ missing, charactersMax: organizationNameMax })

/** Why the workflow did not take it. */
export const nameFault = (code: NameFault["code"]): Fault => ({
  field: "name",
  says: code === "required" ? missing : `Use at most ${organizationNameMax} characters.`
})
