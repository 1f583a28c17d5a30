import * as Effect from "effect/Effect"
import { afterAll, describe, expect, it } from "vitest"
import * as keyCommands from "../../apps/cli/keys.ts"
import * as organizationCommands from "../../apps/cli/organizations.ts"
import type { KeyId } from "../../core/key/state.ts"
import type { Actor } from "../../core/person/Person.ts"
import { Audit } from "../../core/port/Audit.ts"
import { keyFor } from "../http/harness.ts"
import { webhookClient } from "../http/webhookCalls.ts"
import { openClinic } from "./visitor.ts"

const { actor, site } = await openClinic("scale")
afterAll(() => site.close())

const log = (organizationId = actor.organizationId) =>
  site.run(
    Effect.map(
      Effect.flatMap(Audit, ({ list }) => list({ organizationId, before: null, limit: 100 })),
      ({ entries }) => entries
    )
  )

const actions = async () => (await log()).map(({ action }) => action)

describe("the audit log", () => {
  it("a program's changes of webhooks are written down with its key, in the same write", async () => {
    const { organizationId } = actor
    const writer = await site.run(keyFor(organizationId, { record: { scopes: ["write"], name: "deployer" } }))
    const client = webhookClient(
      () => `${site.url}/api/v1`,
      () => writer.key
    )
    const { id } = await client.endpoint("ok.example.com")
    const path = `/webhooks/${String(id)}`
    await client.call("PATCH", path, { body: { status: "paused" } })
    await client.call("POST", `${path}/rotate-secret`)
    const since = { since: "2020-01-01T00:00:00Z", until: "2020-01-02T00:00:00Z" }
    await client.call("POST", `${path}/replay`, { body: since })
    await client.call("DELETE", path)
    const entries = await log()
    expect(entries.map(({ action, detail, subject }) => [action, subject, detail]).toReversed()).toEqual([
      ["webhook.created", String(id), "to ok.example.com"],
      ["webhook.changed", String(id), "status paused"],
      ["webhook.secret_rotated", String(id), null],
      [
        "webhook.replayed",
        String(id),
        "0 deliveries from 2020-01-01T00:00:00.000Z to before 2020-01-02T00:00:00.000Z"
      ],
      ["webhook.deleted", String(id), "to ok.example.com"]
    ])
    const key = { kind: "key", id: writer.keyId, label: "deployer" }
    expect(entries.every((entry) => JSON.stringify(entry.actor) === JSON.stringify(key))).toBe(true)
  })

  it("a change that is refused, unknown or repeated under its key is not written down", async () => {
    const { organizationId } = actor
    const writer = await site.run(keyFor(organizationId, { record: { scopes: ["write"] } }))
    const client = webhookClient(
      () => `${site.url}/api/v1`,
      () => writer.key
    )
    const before = (await actions()).length
    await client.call("DELETE", "/webhooks/999999")
    await client.call("POST", "/webhooks", { body: { url: "http://no", events: ["*"] } })
    expect((await actions()).length).toBe(before)
    const made = { body: { url: "https://ok.example.com/", events: ["*"] }, key: "once" }
    for (let nth = 0; nth < 3; nth++) await client.call("POST", "/webhooks", made)
    expect((await actions()).length).toBe(before + 1)
  })

  it("the sandbox changes nothing that is logged", async () => {
    const { organizationId } = actor
    const record = { scopes: ["write" as const] }
    const test = await site.run(keyFor(organizationId, { mode: "test", record }))
    const client = webhookClient(
      () => `${site.url}/api/sandbox/v1`,
      () => test.key
    )
    const before = (await actions()).length
    expect((await client.endpoint("ok.example.com"))["status"]).toBe("active")
    expect((await actions()).length).toBe(before)
  })

  it("contract §4 the operator's commands are written down as the operator's", async () => {
    const { organizationId } = actor
    const input = { ...plain, organizationId, name: "by the operator", scopes: ["write" as const] }
    const { json } = await site.run(keyCommands.create(input))
    const keyId = String(json["key_id"]) as KeyId
    await site.run(keyCommands.change({ keyId, action: "suspend", reason: null }))
    await site.run(keyCommands.change({ keyId, action: "revoke", reason: "it leaked" }))
    await site.run(organizationCommands.choosePack(organizationId, "build"))
    await site.run(organizationCommands.grant(organizationId, 500))
    const told = (await log()).slice(0, 4).toReversed()
    expect(told.map(({ action, actor: by, detail, subject }) => [action, by.kind, subject, detail])).toEqual([
      ["key.created", "operator", keyId, "by the operator, scopes write"],
      ["key.revoked", "operator", keyId, "by the operator: it leaked"],
      ["pack.changed", "operator", "build", "begins with the renewal"],
      ["credits.granted", "operator", "500 credits", null]
    ])
  })

  it("a command that does nothing writes nothing down", async () => {
    const nobody = "org_nobody" as Actor["organizationId"]
    const refusals = [
      keyCommands.create({ ...plain, organizationId: nobody, name: "n", scopes: ["read"] }),
      organizationCommands.choosePack(nobody, "build"),
      organizationCommands.grant(nobody, 5)
    ]
    for (const refused of refusals)
      await site.run(Effect.flip<unknown, unknown, Effect.Services<typeof refused>>(refused))
    expect(await log(nobody)).toEqual([])
  })
})

const plain = { expiresAt: null, allowedCidrs: [], allowedOrigins: [], releaseId: null }
