import type { Group } from "../Fault.ts"
import { inFile } from "../Fault.ts"

/** What comes in by HTTP and MCP, and the pages of people. */
export const edges: Group = {
  tests: [
    "test/adapters/cookies.test.ts",
    "test/http/callerAddress.test.ts",
    "test/adapters/peoplePostgres.test.ts",
    "test/http/sandbox.test.ts",
    "test/http/mounts.test.ts",
    "test/dashboard/sending.test.ts",
    "test/dashboard/frame.test.ts",
    "test/dashboard/securityHeaders.test.ts",
    "test/dashboard/permissions.test.ts",
    "test/core/adminPermissions.test.ts",
    "test/dashboard/people.test.ts",
    "test/dashboard/deciding.test.ts",
    "test/dashboard/keys.test.ts",
    "test/mcp/admission.test.ts",
    "test/http/connections.test.ts",
    "test/http/limits.test.ts",
    "test/http/hostile.test.ts",
    "test/http/noOperation.test.ts",
    "test/http/answers.test.ts",
    "test/adapters/oauthSeal.test.ts",
    "test/oauth/consents.test.ts",
    "test/oauth/clients.test.ts",
    "test/oauth/registration.test.ts",
    "test/oauth/flow.test.ts"
  ],
  faults: [
    ...inFile("adapters/html/html.ts", [
      ["writes text into a page as markup", "return escape(String(value))", "return String(value)"],
      ["leaves quotes in a page as they are", "text.replaceAll(/[&<>\"']/g,", "text.replaceAll(/[&<>]/g,"]
    ]),
    ...inFile("adapters/dashboard/router.ts", [
      [
        "takes a form from another site",
        'if (!isFromOurPages(request)) return failed("foreign", request)',
        ""
      ],
      [
        "takes a form from another page of the same site",
        'return fetchSite === "same-origin"',
        'return fetchSite !== "cross-site"'
      ],
      [
        "takes a form of another origin from an old browser",
        "return headers.origin === new URL(baseUrl).origin",
        "return true"
      ],
      [
        "shows an organization to whoever asks",
        'if (membership === undefined) return { ...failed("missing", request), viewer: { person, memberships } }',
        ""
      ],
      [
        "lets a member do what takes a permission",
        "if (permission !== undefined && !may(actor.role, permission))",
        'if (permission === "none" as never)'
      ],
      ["shows a page of people to nobody", "if (person === undefined) return toSignIn(request)", ""]
    ]),
    ...inFile("adapters/dashboard/response.ts", [
      [
        "writes any form target into the policy of a page",
        "formOrigins.filter((origin) => plainOrigin.test(origin))",
        "formOrigins"
      ],
      ["lets a page be framed", '"x-frame-options": "DENY",', ""]
    ]),
    ...inFile("adapters/dashboard/pages.ts", [
      ["shows every member how to revoke a key", 'keys.confirmRevoke, "revoke_key"', "keys.confirmRevoke"],
      ["leaves the permission to invite to the kernel", 'members.invite, "invite_member"', "members.invite"]
    ]),
    ...inFile("core/admin/keys.ts", [
      ["creates a key for every member", 'if (!may(actor.role, "create_key")) return forbidden', ""],
      ["revokes a key for every member", 'if (!may(actor.role, "revoke_key")) return forbidden', ""]
    ]),
    ...inFile("core/admin/webhooks.ts", [
      [
        "changes an endpoint for every member",
        'if (!may(actor.role, webhookActions[id])) return { _tag: "Forbidden" }',
        ""
      ]
    ]),
    ...inFile("adapters/identity/cookies.ts", [
      [
        "takes a session that it did not sign",
        "secrets.some((secret) => isSigned(token, signature, secret)) ? token : undefined",
        "token"
      ]
    ]),
    ...inFile("adapters/identity/auth.ts", [
      ["names its cookie for every path of a host", '"__Host-coverage_session"', '"coverage_session_"']
    ]),
    ...inFile("adapters/mcp/admit.ts", [
      ["admits an organization that is suspended", "if (holder.organizationSuspended) return suspended", ""],
      [
        "takes a token for less than its scopes",
        "oauthScopes.every((scope) => holder.scopes.includes(scope))",
        "oauthScopes.some((scope) => holder.scopes.includes(scope))"
      ],
      [
        "asks the store for every API key",
        "if (keyPrefix.test(token)) return Effect.succeed(invalid)",
        "if (keyPrefix.test(token)) return Effect.succeed(malformed)"
      ]
    ]),
    ...inFile("adapters/mcp/makeMcp.ts", [
      [
        "answers whatever host it is called by",
        "if (!own({ host, origin: asked.origin })) return refuse(envelope, foreign)",
        ""
      ],
      [
        "answers a page of another origin",
        "if (origin === undefined || origin === base.origin) return true",
        "return true"
      ]
    ]),
    ...inFile("adapters/oauth/seal.ts", [
      [
        "gives the library a spent token as a new one",
        "spentAtMs === null || isWithinRotationWindow(record, nowMs)",
        "spentAtMs === null || nowMs >= 0"
      ],
      ["opens a record under another name", "`oauth ${model} ${hash}`", "`oauth`"]
    ]),
    ...inFile("adapters/oauth/Storage.ts", [
      ["opens a grant of a suspended organization", " || grant.organizationSuspended", ""]
    ]),
    ...inFile("adapters/oauth/consents.ts", [
      [
        "tells a request for consent to another browser",
        "if (!isHolder(cookie, cookieName, uid)) return undefined",
        ""
      ],
      [
        "takes a second answer to a request for consent",
        "return interaction?.result === undefined ? interaction : undefined",
        "return interaction"
      ]
    ]),
    ...inFile("adapters/oauth/configuration.ts", [
      ["lets scripts read the cookies of a consent", "httpOnly: true, sameSite", "httpOnly: false, sameSite"],
      ["lets other sites send the cookies of a consent", 'sameSite: "lax" }', 'sameSite: "none" }'],
      [
        "gives tokens without proof of the code's holder",
        "pkce: { required: () => true }",
        "pkce: { required: () => false }"
      ],
      ["gives tokens for another resource", "if (asked !== resource) throw new errors.InvalidTarget()", ""]
    ]),
    ...inFile("adapters/oauth/clientPolicy.ts", [
      [
        "registers a client without an address to go back to",
        'typeof uri === "string" && isRedirectUri(uri, schemes)',
        'typeof uri === "string" || schemes.length > 1_000'
      ]
    ]),
    ...inFile("adapters/http/request.ts", [
      ["reads a body of any size", "if (size <= bodyBytesMax) chunks.push(chunk)", "chunks.push(chunk)"],
      ["takes the first hop of a header for the caller", "if (!isTrusted(hop)) return hop", ""],
      [
        "walks past a member that is not an address",
        "if (hop === undefined) return trusted",
        "if (hop === undefined) continue"
      ],
      ["counts an empty member as a hop", '.filter((member) => member !== "")', ""],
      [
        "believes a header of whoever sends it",
        "forwardedFor === undefined || !isTrusted(peer)",
        "forwardedFor === undefined"
      ]
    ]),
    ...inFile("adapters/http/response.ts", [
      [
        "sends a compressed answer to who takes none",
        "return best !== undefined && weight(best) > 0 ? best : undefined",
        "return best"
      ]
    ]),
    ...inFile("adapters/http/fallback.ts", [
      [
        "answers a part of a word as the path",
        "path === prefix || path.startsWith(`${prefix}/`)",
        "path.startsWith(prefix)"
      ]
    ])
  ]
}
