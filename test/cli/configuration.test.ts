import { describe, expect, it } from "vitest"
import { readConfig } from "../../apps/http/config.ts"
import type { Environment } from "./commandLine.ts"
import { command } from "./commandLine.ts"

const production: Environment = {
  ENVIRONMENT: "production",
  BASE_URL: "https://api.example.com",
  SECRET_KEY: "s".repeat(32),
  DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none",
  SMTP_URL: "smtp://mail.example.com"
}
const { SMTP_URL: _, ...withoutMail } = production

/** What `config` reports for an environment: the sentence of its refusal, or the shown values by name. */
const shown = async (environment: Environment): Promise<string | Readonly<Record<string, string>>> => {
  const { code, stderr, stdout } = await command(["config", "--json"], environment)
  if (code !== 0) return JSON.parse(stderr).error.message
  const { variables } = JSON.parse(stdout) as {
    readonly variables: ReadonlyArray<{ readonly name: string; readonly value: string }>
  }
  return Object.fromEntries(variables.map(({ name, value }) => [name, value]))
}

describe("contract §4 EMAIL_TO_LOG", () => {
  it("production without a mail server starts only with EMAIL_TO_LOG=1", async () => {
    const refusal =
      "SMTP_URL must be set in production, or EMAIL_TO_LOG=1 to write emails with their links to the log."
    expect(await shown(withoutMail)).toBe(refusal)
    expect(await shown({ ...withoutMail, EMAIL_TO_LOG: "0" })).toBe(refusal)
    expect(await shown({ ...withoutMail, EMAIL_TO_LOG: "yes" })).toBe("EMAIL_TO_LOG must be one of 0, 1.")
    expect(readConfig({ ...withoutMail, EMAIL_TO_LOG: "1" }).smtpUrl).toBeUndefined()
    expect(readConfig(production).smtpUrl).toBeDefined()
  })

  it("development needs neither", () => {
    expect(readConfig({ SECRET_KEY: "s".repeat(32) }).smtpUrl).toBeUndefined()
  })
})

describe("contract §4 credentials in the configuration", () => {
  it("a public URL with a user name or password stops the start, and is not repeated", async () => {
    for (const name of ["BASE_URL", "SUPPORT_URL"])
      for (const url of [
        "https://canary:secret@api.example.com",
        "https://canary@api.example.com",
        "https://:canary@api.example.com",
        "https://@api.example.com",
        "https:\\\\canary:secret@api.example.com",
        "https:canary@api.example.com"
      ])
        expect([name, url, await shown({ ...production, [name]: url })]).toEqual([
          name,
          url,
          `${name} must not contain a user name or password.`
        ])
    const fine = {
      ...production,
      BASE_URL: "https://api.example.com/a@b",
      SUPPORT_URL: "mailto:help@example.com"
    }
    expect(await shown(fine)).toMatchObject({ BASE_URL: fine.BASE_URL, SUPPORT_URL: fine.SUPPORT_URL })
  })

  it("config shows no credential of any variable", async () => {
    const canary = "canary-0123456789-0123456789-0123456789"
    const text = JSON.stringify(
      await shown({
        ...production,
        SECRET_KEY: canary,
        DATABASE_URL: `postgresql://user:${canary}@127.0.0.1:1/none`,
        DATABASE_READ_URL: `postgresql://user:${canary}@127.0.0.1:1/none`,
        REDIS_URL: `redis://:${canary}@127.0.0.1:1`,
        SMTP_URL: `smtp://user:${canary}@mail.example.com`,
        WEBHOOK_SECRET: canary,
        OTEL_EXPORTER_OTLP_ENDPOINT: `https://${canary}:${canary}@collector.example.com/otlp?key=${canary}`,
        SUPPORT_URL: `https://help.example.com/?token=${canary}`
      })
    )
    expect(text).not.toContain("canary")
    expect(text).toContain("https://***@collector.example.com/otlp?key=***")
    expect(text).toContain("https://help.example.com/?token=***")
  })
})

describe("contract §4 WEBHOOK_PORTS", () => {
  it("is 443 unless set, and a list of ports", async () => {
    expect(readConfig(production).webhookPorts).toEqual([443])
    expect(readConfig({ ...production, WEBHOOK_PORTS: "443, 8443" }).webhookPorts).toEqual([443, 8_443])
    expect(await shown({ ...production, WEBHOOK_PORTS: "https" })).toBe(
      "WEBHOOK_PORTS must be port numbers, separated by commas."
    )
  })
})
