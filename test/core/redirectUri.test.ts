import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  formOriginOf,
  hostOf,
  isRedirectUri,
  parseAppScheme,
  redirectTarget
} from "../../core/oauth/redirectUri.ts"
import { runs } from "../kit/runs.ts"

/** Reasons about how an address is written, which no list of schemes changes. */
const isAboutForm = /^form: /

const hostileRedirects: ReadonlyArray<readonly [text: string, reason: string]> = [
  ["javascript:alert(1)", "a browser executes it"],
  ["javascript://app.example/%0aalert(1)", "a browser executes it after the comment"],
  ["JavaScript:alert(1)", "a browser executes it in any letter case"],
  ["JAVASCRIPT://app.example/", "a browser executes it in any letter case"],
  ["java\tscript:/alert(1)", "form: browsers remove the control character"],
  ["java\nscript:/alert(1)", "form: browsers remove the control character"],
  ["\u0001javascript:/alert(1)", "form: browsers remove leading control characters"],
  [" javascript:/alert(1)", "form: browsers remove leading spaces"],
  ["x-javascript:/alert(1)", "an old name of the same"],
  ["livescript:/x", "an old name of the same"],
  ["mocha:/x", "an old name of the same"],
  ["vbscript:/msgbox", "Internet Explorer executes it"],
  ["data:text/html,<script>alert(1)</script>", "a browser renders it"],
  ["data:/text/html;base64,eA==", "a browser renders it"],
  ["blob:https://app.example/1", "it names an object of a page"],
  ["filesystem:https://app.example/temporary/x", "it names a file of a page"],
  ["file:///etc/passwd", "it reads a file"],
  ["file://host/share", "it reads a file of the network"],
  ["about:blank", "a page of the browser"],
  ["about:/srcdoc", "a page of the browser"],
  ["view-source:https://app.example/", "a page of the browser"],
  ["chrome://settings/", "a page of the browser"],
  ["edge://flags/", "a page of the browser"],
  ["chrome-extension://abc/callback.html", "a page of an extension"],
  ["moz-extension://abc/callback.html", "a page of an extension"],
  ["safari-web-extension://abc/callback.html", "a page of an extension"],
  ["resource://gre/", "a file of the browser"],
  ["res://ieframe.dll/x", "a file of a library"],
  ["jar:https://app.example/x.jar!/x", "a file of an archive"],
  ["mhtml:https://app.example/x!y", "a part of an archive"],
  ["ms-its:/x.chm::/y", "a page of a help file"],
  ["ms-settings:/network", "the system handles it"],
  ["ms-msdt:/id", "the system executes it"],
  ["search-ms:/query=x", "the system handles it"],
  ["shell:/startup", "the system handles it"],
  ["intent://app.example/#Intent;scheme=http;end", "Android opens any app by it"],
  ["android-app://com.example/http/x", "Android opens any app by it"],
  ["content://com.example.provider/x", "Android reads from a provider"],
  ["itms-services://?action=download-manifest", "iOS installs an app by it"],
  ["ws://app.example/x", "no page that a browser returns to"],
  ["wss://app.example/x", "no page that a browser returns to"],
  ["ftp://app.example/x", "no page that a browser returns to"],
  ["ldap://app.example/x", "no page that a browser returns to"],
  ["smb://app.example/x", "it sends the person's network password"],
  ["ssh://app.example/x", "no page that a browser returns to"],
  ["mailto:ada@app.example", "it writes an email"],
  ["tel:/15550100", "it calls a number"],
  ["sms:/15550100", "it sends a message"],
  ["web+app:/callback", "any web page may register for it"],
  ["evil:/callback", "form: a scheme without a dot that is not in the table"],
  ["cursorx://anysphere/callback", "form: a longer scheme than that of the table"],
  ["Cursor://anysphere/callback", "form: schemes are written in lower case"],
  ["cursor:callback", "form: nothing says where its path begins"],
  ["cursor://user@anysphere/callback", "form: user information"],
  ["cursor://anysphere:80/callback", "form: a port"],
  ["cursor://anysphere/callback#x", "form: a fragment"],
  ["cursor://any sphere/callback", "form: a space"],
  ["vscode://file/etc/passwd", "opens: a file"],
  ["cursor://FILE/etc/passwd", "opens: a file"],
  ["vscode-insiders://vscode-remote/ssh-remote+host/etc", "opens: a folder"],
  ["com.example.app:callback", "form: nothing says where its path begins"],
  [".example.app:/callback", "form: no scheme begins with a dot"],
  ["com..app:/callback", "form: an empty label"],
  ["com.example.:/callback", "form: an empty label"],
  ["1com.example:/callback", "form: no scheme begins with a digit"],
  ["com.example+app:/callback", "form: no domain has a plus sign"],
  ["com.exämple.app:/callback", "form: no scheme has such a letter"],
  ["//app.example/callback", "form: no scheme"],
  ["/callback", "form: no scheme"],
  ["http:/localhost/callback", "form: no host"],
  ["https:/app.example/callback", "form: no host"],
  ["http://app.example/callback", "form: no TLS to another machine"],
  ["", "form: empty"]
]

describe("RFC 8252 where a client's answers may go", () => {
  it("an address whose host is not the caller's own machine is https, as WHATWG reads it too", () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.string(), fc.constantFrom(...hostile)), (text) => {
        if (!isRedirectUri(text)) return
        const url = new URL(text)
        if (!/^https?:$/.test(url.protocol)) return
        const isOwn = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname)
        expect([text, url.protocol, url.username, url.hash]).toEqual([
          text,
          isOwn ? "http:" : "https:",
          "",
          ""
        ])
      }),
      { numRuns: runs(300) }
    )
  })

  it("takes the usual ones", () => {
    for (const text of [
      "cursor://anysphere.cursor-mcp/oauth/callback",
      "vscode://vscode.github-authentication/did-authenticate?windowId=1",
      "vscode-insiders://publisher.extension_name/callback",
      "windsurf://codeium.windsurf/oauth",
      "com.example.app:/callback",
      "com.example.app://callback",
      "com.example.app:///callback",
      "io.example.my-app2:/a/b?c=d",
      "https://claude.ai/api/mcp/auth_callback",
      "http://localhost/",
      "http://127.0.0.1:33418",
      "http://[::1]:1/x?y",
      "https://xn--bcher-kva.example/cb",
      "https://App.Example:8443/cb",
      "https://intranet/cb",
      "https://192.0.2.7/cb",
      "https://[2001:db8::7]:8443/cb"
    ])
      expect([text, isRedirectUri(text)]).toEqual([text, true])
  })

  it("rejects an https address without a valid host", () => {
    for (const host of noHosts) expect([host, isRedirectUri(`https://${host}/cb`)]).toEqual([host, false])
  })

  it("refuses what some reader could take for another host", () => {
    for (const text of hostile) expect([text, isRedirectUri(text)]).toEqual([text, false])
  })

  it("the policy of the page names the origin, or the scheme where it has no word for the host", () => {
    expect(formOriginOf("http://127.0.0.1:6274/x?y")).toBe("http://127.0.0.1:6274")
    expect(formOriginOf("https://app.example/x")).toBe("https://app.example")
    expect(formOriginOf("http://[::1]:80/x")).toBe("http:")
    expect(formOriginOf("cursor://anysphere.cursor-mcp/x")).toBe("cursor:")
    expect(formOriginOf("com.example.app:/x")).toBe("com.example.app:")
    expect(hostOf("cursor://anysphere.cursor-mcp/x")).toBe("")
    expect(hostOf("https://app.example:8443/x")).toBe("app.example:8443")
    expect(hostOf("a-client-id")).toBe("")
  })
})

describe("RFC 7591 hostile redirect addresses", () => {
  it.each(hostileRedirects)("rejects %j: %s", (text) => {
    expect(redirectTarget(text)).toBeUndefined()
  })

  it("a scheme of the browser or the system is rejected even when an operator adds it", () => {
    const schemes = [...new Set(hostileRedirects.map(([text]) => text.split(":")[0] ?? ""))]
    for (const scheme of [
      "javascript",
      "data",
      "file",
      "blob",
      "about",
      "vbscript",
      "view-source",
      "filesystem"
    ])
      for (const written of [scheme, scheme.toUpperCase(), ` ${scheme} `])
        expect([written, parseAppScheme(written)]).toEqual([written, undefined])
    for (const [text] of hostileRedirects.filter(([, reason]) => !isAboutForm.test(reason)))
      expect([text, redirectTarget(text, schemes)]).toEqual([text, undefined])
  })

  it("an operator may add the scheme of an installed app, in any letter case", () => {
    expect(parseAppScheme(" Zed ")).toBe("zed")
    expect(redirectTarget("zed://mcp/callback", ["zed"])).toEqual({ kind: "app", scheme: "zed" })
    for (const text of [
      "",
      "zed:",
      "zed://x",
      "1password",
      "a b",
      "z\u0000ed",
      "mailto",
      "ms-word",
      "moz-extension"
    ])
      expect([text, parseAppScheme(text)]).toEqual([text, undefined])
  })
})

const noHosts = [
  "*",
  "*.example",
  "app.*",
  ".",
  ".example",
  "app..example",
  "app.example.",
  "-app.example",
  "app-.example",
  "app_1.example",
  "a%2eb.example",
  `${"x".repeat(64)}.example`,
  `${"x.".repeat(127)}example`,
  "app.example:",
  "app.example:65536",
  "app.example:1:2",
  ":443",
  "[]",
  "[::g]",
  "[2001:db8::7%25eth0]",
  "[192.0.2.7]",
  "127.1",
  "0x7f000001",
  "2130706433",
  "192.0.2.256"
]

const hostile = [
  "https://[0:0:0:0:0:0:0:1]/",
  "http://app.example/",
  "https://localhost/",
  "https://127.0.0.1/",
  "http://localhost.evil.example/",
  "http://localhost@evil.example/",
  "http://localhost\\@evil.example/",
  "http://localhost%00.evil.example/",
  "https://user:pass@app.example/",
  "https://app.example/#x",
  "https://app.example/ x",
  "https://app.example/\u202e",
  "https://",
  "HTTPS://app.example/",
  `https://app.example/${"x".repeat(2_048)}`
]
