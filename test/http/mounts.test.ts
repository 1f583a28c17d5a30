import { describe, expect, it } from "vitest"
import { mountedPaths } from "../../adapters/dashboard/dashboard.ts"
import { authorizationServerPaths } from "../../adapters/oauth/server.ts"
import { authorizationPaths, pagePaths } from "../../apps/http/mounts.ts"

describe("contract §3 what is loaded when somebody first comes is mounted from the start", () => {
  it("every page of the pages' own table", () => {
    expect([...pagePaths].toSorted()).toEqual([...mountedPaths].toSorted())
  })

  it("every path of the authorization server", () => {
    expect([...authorizationPaths].toSorted()).toEqual([...authorizationServerPaths].toSorted())
  })
})
