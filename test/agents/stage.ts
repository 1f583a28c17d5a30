import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { answer, startServer } from "../cli/commandLine.ts"
import { forget } from "../kit/dataDir.ts"
import { mailServer } from "../kit/smtp.ts"
import type { ArrivedEmail } from "../kit/smtp.ts"

/** A server and its commands are slow where much else runs. */
export const timeoutMs = 60_000

/** The service as a process of its own over its embedded database, with a mail server beside it. */
export interface Stage {
  readonly url: string
  /** The operator's command line beside the running service. */
  readonly operate: (...words: ReadonlyArray<string>) => Promise<Record<string, unknown>>
  /** The next letter to the address; each is told once. */
  readonly emailTo: (email: string) => Promise<string>
  readonly close: () => Promise<void>
}

/** Starts it with whatever the operator would import first. */
export const openStage = async (imported: ReadonlyArray<readonly [string, string]>): Promise<Stage> => {
  const mail = await openMail()
  const DATA_DIR = mkdtempSync(join(tmpdir(), "coverage-agents-"))
  const environment = { DATA_DIR, SMTP_URL: mail.url }
  const server = await startServer(environment)
  const operate: Stage["operate"] = (...words) => answer(words, environment)
  for (const source of imported) await operate("import", ...source)
  return {
    url: server.url,
    operate,
    emailTo: mail.emailTo,
    close: async () => {
      await server.stop()
      await mail.close()
      forget(DATA_DIR)
    }
  }
}

/** A mail server on loopback and the letters that it took. */
export const openMail = async () => {
  const scope = Scope.makeUnsafe()
  const mail = await Effect.runPromise(Effect.provideService(mailServer, Scope.Scope, scope))
  const waiting: Array<ArrivedEmail> = []
  return {
    url: `smtp://127.0.0.1:${mail.port}`,
    emailTo: async (email: string): Promise<string> => {
      for (;;) {
        const index = waiting.findIndex(({ to }) => to.includes(email))
        const [found] = index < 0 ? [] : waiting.splice(index, 1)
        if (found !== undefined) return textOf(found)
        waiting.push(await Effect.runPromise(Effect.timeout(mail.next, timeoutMs)))
      }
    },
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

/** Letters are plain text; long lines are broken as quoted-printable breaks them. */
const textOf = ({ source }: ArrivedEmail): string =>
  source.replaceAll("=\r\n", "").replaceAll("=3D", "=").replaceAll("\r\n", "\n")
