import { readFileSync } from "node:fs"
import { join } from "node:path"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe } from "vitest"
import { rules } from "../../adapters/postgres/CachedKeys.ts"
import * as Database from "../../adapters/postgres/Database.ts"
import { startEmbedded } from "../../adapters/postgres/embedded.ts"
import { migrate } from "../../adapters/postgres/migrate.ts"
import { migrations } from "../../adapters/postgres/migrations.ts"
import { dataDir } from "../kit/dataDir.ts"
import { isRevoked, keyCacheChecks, keyIn, revoke } from "../kit/keyCacheChecks.ts"
import { keyProcess, warm, within } from "../kit/keyProcess.ts"

describe("keys behind a cache (contract §1, Keys)", () => {
  for (const { says, check } of keyCacheChecks) it.live(says, () => check(rules))
})

describe("keys behind a cache whose PostgreSQL is killed", () => {
  it.live(
    "are answered from memory again after it came back, and a revocation is heard",
    () =>
      Effect.gen(function* () {
        const connection = yield* startEmbedded({
          dataDir: yield* dataDir,
          role: "server",
          settings: ["fsync=off"]
        })
        yield* Effect.provide(migrate(migrations), Database.layer(connection))
        const [here, there] = [yield* keyProcess(connection), yield* keyProcess(connection)]
        const key = yield* keyIn(here)
        yield* warm(there, key.hash)
        const [row] = yield* here.sql<{
          readonly folder: string
        }>`select current_setting('data_directory') as folder`
        process.kill(
          Number(readFileSync(join(row?.folder ?? "", "postmaster.pid"), "utf8").split("\n")[0]),
          "SIGKILL"
        )
        yield* within(1_000, Effect.isFailure(there.keys.find(key.hash)))
        yield* within(15_000, Effect.isSuccess(there.keys.find(key.hash)))
        yield* warm(there, key.hash)
        yield* revoke(here, key)
        yield* within(1_000, isRevoked(there, key))
      }),
    40_000
  )
})
