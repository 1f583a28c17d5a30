import { organizationNameMax } from "../../../core/person/form.ts"
import type { NameFault } from "../../../core/admin/organizations.ts"
import type { Fault } from "../fields.ts"
import { requiredText } from "../fields.ts"

const missingName = "Write a name for the organization."

/** The name of an organization. */
export const nameField = requiredText({ missing: missingName, charactersMax: organizationNameMax })

/** Why core/admin did not take it. */
export const nameFault = (code: NameFault["code"]): Fault => ({
  field: "name",
  says: code === "required" ? missingName : `Use at most ${organizationNameMax} characters.`
})
