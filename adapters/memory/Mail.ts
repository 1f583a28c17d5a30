import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Email } from "../../core/port/Mail.ts"
import { Mail } from "../../core/port/Mail.ts"

/** Where every email of the process goes. */
export class Mailbox extends Context.Service<
  Mailbox,
  {
    /** In the order they were sent. */
    readonly emails: Array<Email>
    /** The email to an address that follows its first `after`; waits for it. */
    readonly next: (to: string, after: number) => Effect.Effect<Email>
  }
>()("coverage/adapters/memory/Mailbox") {}

/** Emails that stay in the process, with the mailbox they all go to. */
export const layer = Layer.effectContext(
  Effect.sync(() => {
    const emails: Array<Email> = []
    const waiting = new Set<Deferred.Deferred<void>>()
    const next = (to: string, after: number): Effect.Effect<Email> =>
      Effect.suspend(() => {
        const found = emails.filter((email) => email.to === to)[after]
        if (found !== undefined) return Effect.succeed(found)
        const arrival = Deferred.makeUnsafe<void>()
        waiting.add(arrival)
        return Effect.flatMap(Deferred.await(arrival), () => next(to, after))
      })
    const send = (email: Email) =>
      Effect.sync(() => {
        emails.push(email)
        for (const arrival of waiting) Deferred.doneUnsafe(arrival, Effect.void)
        waiting.clear()
      })
    return Context.make(Mail, Mail.of({ send })).pipe(Context.add(Mailbox, { emails, next }))
  })
)
