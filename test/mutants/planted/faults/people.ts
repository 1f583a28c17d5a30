import type { Group } from "../Fault.ts"
import { inFile } from "../Fault.ts"

/** How people sign in, and what strangers can do to them. */
export const people: Group = {
  tests: [
    "test/core/passwordTurns.test.ts",
    "test/core/personForm.test.ts",
    "test/managing/attempts.test.ts",
    "test/adapters/passwordHash.test.ts"
  ],
  faults: [
    ...inFile("core/person/passwordTurns.ts", [
      ["hashes every password at once", "if (turns.running < turnsAtOnce)", "if (turns.running >= 0)"],
      ["lets an origin wait in several places", " || waiting.includes(place)", ""],
      [
        "lets strangers wait before known devices for ever",
        'const other: Origin["kind"] = turns.last === "known" ? "stranger" : "known"',
        'const other: Origin["kind"] = "stranger"'
      ]
    ]),
    ...inFile("core/admin/withPasswordTurn.ts", [
      [
        "keeps a turn that came at the moment of an interruption",
        "return finish\n        turns",
        "return Effect.void\n        turns"
      ]
    ]),
    ...inFile("core/admin/attemptOrigin.ts", [
      ["takes every cookie for a known device", "if (!isKnown)", "if (secretKeys.length === 0)"]
    ]),
    ...inFile("core/person/knownDevice.ts", [
      ["makes a device known to every account", "email.trim().toLowerCase(), atSeconds", "atSeconds"],
      ["keeps a device known for ever", " || ageSeconds > knownDeviceDays * 86_400", ""]
    ]),
    ...inFile("core/person/attempts.ts", [
      [
        "counts a mailbox over all networks",
        "`${subject}:email:${attempt.emailHash}`",
        "`people:${attempt.emailHash}`"
      ]
    ]),
    ...inFile("core/admin/withAttemptLimits.ts", [
      [
        "sends every email that strangers request",
        "if (limited === undefined) yield* effect",
        "yield* effect"
      ]
    ]),
    ...inFile("core/admin/people.ts", [
      ["spaces the emails of a known device", 'origin.kind === "known" ? sending :', ""],
      [
        "forgets the device after a sign-in",
        "[...result.cookies, yield* rememberDevice(result.person.email)]",
        "result.cookies"
      ]
    ]),
    ...inFile("adapters/identity/passwordHash.ts", [
      ["shows by its time that a hash is old", "  await keyOf(password, salt, difference)\n", ""]
    ]),
    ...inFile("adapters/identity/verbs.ts", [
      ["keeps old hashes", "!isOutdatedHash(old)", "isOutdatedHash(old)"]
    ])
  ]
}
