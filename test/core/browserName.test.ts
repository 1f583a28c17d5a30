import { describe, expect, it } from "vitest"
import { browserName } from "../../core/notice/browserName.ts"

const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)"

describe("browser names in notices", () => {
  it.each([
    ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/141.0.0.0 Safari/537.36`,
      "Chrome on Windows"
    ],
    [`Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/141.0 Safari/537.36 Edg/141.0`, "Edge on Windows"],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${webkit} Version/18.0 Safari/604.1`,
      "Safari on iPhone"
    ],
    [`Mozilla/5.0 (Linux; Android 15) ${webkit} Chrome/141.0 Mobile Safari/537.36`, "Chrome on Android"],
    ["curl/8.5.0", "an unknown browser"],
    ["Call (212) 555-0123 now", "an unknown browser"],
    [null, "an unknown browser"]
  ])("%j is %j", (agent, name) => {
    expect(browserName(agent)).toBe(name)
  })
})
