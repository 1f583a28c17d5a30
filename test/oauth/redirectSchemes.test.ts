import type { ClientMetadata } from "oidc-provider"
import { describe, expect, it } from "vitest"
import { clientPolicy } from "../../adapters/oauth/clientPolicy.ts"
import { readConfig } from "../../apps/http/config.ts"

const environment = { SECRET_KEY: "a secret key of the tests with over 32 characters" }
const schemesOf = (text: string) =>
  readConfig({ ...environment, OAUTH_REDIRECT_SCHEMES: text }).redirectSchemes

describe("OAUTH_REDIRECT_SCHEMES", () => {
  it("adds the schemes of installed apps, in lower case", () => {
    expect(readConfig(environment).redirectSchemes).toEqual([])
    expect(schemesOf("zed, JetBrains,")).toEqual(["zed", "jetbrains"])
    const metadata = { redirect_uris: ["zed://mcp/callback", "other://x"] } as unknown as ClientMetadata
    clientPolicy(["zed"])(undefined, "", undefined, metadata)
    expect(metadata.redirect_uris).toEqual(["zed://mcp/callback"])
  })

  it.each([
    ...["javascript", "JavaScript", "data", "file", "blob", "about", "vbscript", "view-source", "filesystem"],
    ...[
      "http",
      "https",
      "ws",
      "mailto",
      "intent",
      "ms-msdt",
      "chrome-extension",
      "x-javascript",
      "zed://",
      "a b"
    ]
  ])("refuses to start with %s, in a sentence that names the variable and not the value", (scheme) => {
    expect(() => schemesOf(`zed,${scheme}`)).toThrow(
      /^OAUTH_REDIRECT_SCHEMES must be schemes of installed apps such as zed, separated by commas/
    )
  })
})
