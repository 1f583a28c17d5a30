import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { timeId } from "../id/timeId.ts"
import { identifyingName, kindsInId } from "../phi/storedText.ts"

/**
 * The id of a client that registers itself. It begins with a letter: usage names the client by it, and an
 * export must not show it otherwise (`csvCell` marks what a spreadsheet would take for a formula).
 */
export const newClientId = (input: Parameters<typeof timeId>[0]): string => `app_${timeId(input)}`

/** A client has one way back, or a few: an app on several platforms. */
export const redirectUrisMax = 10
/** A name stands in one line of the consent page. */
export const clientNameCharactersMax = 80

/** A client that nobody ever consented to is forgotten after a day. */
export const unusedClientMs = 86_400_000

/** What a client is called that gave itself no name that can be shown. */
export const namelessClient = "An app without a name"

/**
 * The name as it is shown: on one line, without characters that turn, hide or overlay the text around it.
 * Undefined: nothing is left of it.
 */
export const shownName = (text: string): string | undefined => {
  const name = text.normalize("NFC").replaceAll(invisible, " ").replaceAll(/\s+/g, " ").trim()
  const cut = Array.from(name).slice(0, clientNameCharactersMax).join("")
  return cut === "" ? undefined : cut
}

/**
 * Returns why a client is not stored: its name, or the address of its metadata document, which is its id,
 * contains what looks like a patient identifier (phi.md). Undefined: neither does.
 */
export const clientFault = (client: {
  readonly id: string | undefined
  readonly name: string | undefined
}): string | undefined => {
  if (client.name !== undefined && identifyingName(client.name) !== undefined)
    return "client_name must not contain a patient identifier"
  if (client.id !== undefined && kindsInId(client.id).length > 0)
    return "client_id must not contain a patient identifier"
  return undefined
}

/** The same of what a client registered, which is JSON; undefined: it gave itself no name. */
export const registeredName = (metadata: string): string | undefined => {
  const named = decodeNamed(metadata)
  return Result.isSuccess(named) ? shownName(named.success.client_name) : undefined
}

const decodeNamed = Schema.decodeUnknownResult(
  Schema.fromJsonString(Schema.Struct({ client_name: Schema.String }))
)

const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|\p{M}{3,}/gu
