import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { clusterOf, forget } from "../kit/dataDir.ts"
import { answer, startServer } from "./commandLine.ts"

const environment = { DATA_DIR: mkdtempSync(join(tmpdir(), "coverage-cli-")) }
const vault = mkdtempSync(join(tmpdir(), "coverage-cli-vault-"))
afterAll(() => {
  rmSync(vault, { recursive: true, force: true })
  forget(environment.DATA_DIR)
})

/** As docs/operating.md says: whole folders, with their owners and modes. */
const copy = (from: string, to: string) => execFileSync("cp", ["-a", `${from}/.`, to])

describe("docs/operating.md, Backup: the embedded PostgreSQL", { timeout: 120_000 }, () => {
  it("what was copied while nothing ran is there again once everything was lost", async () => {
    const { organization_id: organization } = await answer(["org", "create", "--name", "Kept"], environment)
    const { key } = await answer(
      ["keys", "create", "--org", String(organization), "--name", "first", "--scopes", "read"],
      environment
    )
    const before = await answer(["ledger", String(organization)], environment)

    const cluster = clusterOf(environment.DATA_DIR)
    const saved = { dataDir: join(vault, "data-dir"), cluster: join(vault, "cluster") }
    execFileSync("mkdir", [saved.dataDir, saved.cluster])
    copy(environment.DATA_DIR, saved.dataDir)
    copy(cluster, saved.cluster)
    forget(environment.DATA_DIR)
    execFileSync("mkdir", ["-p", "-m", "700", environment.DATA_DIR])
    execFileSync("mkdir", ["-p", cluster])
    copy(saved.dataDir, environment.DATA_DIR)
    copy(saved.cluster, cluster)

    expect(await answer(["ledger", String(organization)], environment)).toEqual(before)
    const server = await startServer(environment)
    const response = await fetch(`${server.url}/api/v1/policies`, {
      headers: { authorization: `Bearer ${String(key)}` }
    })
    expect(response.status).toBe(200)
    expect(response.headers.get("x-credits-remaining")).toBe("99")
    await server.stop()
  })
})
