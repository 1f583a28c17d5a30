import type { Group } from "../Fault.ts"
import { inFile } from "../Fault.ts"

/** Keys, cursors, roles, passwords, tokens and forms, as the kernel judges them. */
export const keys: Group = {
  tests: [
    "test/core/key.test.ts",
    "test/core/keyChange.test.ts",
    "test/core/newKey.test.ts",
    "test/core/keyCache.test.ts",
    "test/core/pageKey.test.ts",
    "test/core/cursor.test.ts",
    "test/core/role.test.ts",
    "test/core/password.test.ts",
    "test/core/personForm.test.ts",
    "test/core/oauth.test.ts",
    "test/core/redirectUri.test.ts",
    "test/core/status.test.ts",
    "test/core/notices.test.ts",
    "test/core/noticeRotation.test.ts",
    "test/core/compliance.test.ts",
    "test/core/retry.test.ts"
  ],
  faults: [
    ...inFile("core/key/Key.ts", [
      [
        "takes a key whose checksum is wrong",
        'return match !== null && match[3] === checksum({ mode, random: match[2] ?? "" })',
        "return match !== null"
      ],
      [
        "takes a live key in the sandbox",
        "return text.mode === expected.mode",
        "return text.mode !== undefined"
      ],
      [
        "takes a call without a key for one with an unknown key",
        'if (header === undefined) return refused("AUTH_MISSING")',
        'if (header === undefined) return refused("AUTH_INVALID_FORMAT")'
      ]
    ]),
    ...inFile("core/key/state.ts", [
      [
        "finds an expired key valid",
        'if (holder.key.expiresAt !== null && holder.key.expiresAt <= now) return "expired"',
        ""
      ],
      [
        "lets a suspended organization call",
        'return holder.organizationSuspended ? "suspended" : holder.key.mark',
        "return holder.key.mark"
      ],
      ["finds a revoked key valid", 'if (holder.key.mark === "revoked") return "revoked"', ""]
    ]),
    ...inFile("core/key/change.ts", [
      ["gives a revoked key back", 'if (key.mark === "revoked") return key', ""],
      [
        "prolongs a key that is rotated",
        "key.expiresAt !== null && key.expiresAt <= until ? key : { ...key, expiresAt: until }",
        "{ ...key, expiresAt: until }"
      ],
      [
        "gives a test key a release",
        'if (key.mode === "test") return { _tag: "Unfit", because: "test_key" }',
        ""
      ]
    ]),
    ...inFile("core/key/cache.ts", [
      [
        "believes a holder past its renewal",
        "Math.min(holderMsMax, renewalAfter(wallMs) - wallMs)",
        "holderMsMax"
      ],
      [
        "believes what it read before a change",
        "reading.generation === generation",
        "reading.generation <= generation"
      ],
      ["believes without a heartbeat", "nowMs - heartbeatMs < heartbeatMsMax", "nowMs >= heartbeatMs"]
    ]),
    ...inFile("core/key/NewKey.ts", [
      [
        "makes a key that has expired",
        'return input.expiresAt !== null && input.expiresAt <= now ? "already_expired" : undefined',
        "return undefined"
      ],
      ["makes a key of no scope", 'if (input.scopes.length === 0) return "no_scope"', ""],
      [
        "leaves unknown scopes out",
        "return known.length === words.length ? [...new Set(known)] : undefined",
        "return [...new Set(known)]"
      ]
    ]),
    ...inFile("core/page/cursor.ts", [
      [
        "takes a cursor that somebody else wrote",
        "if (!input.signs.some((sign) => equalInConstantTime(sign(text), signature))) return undefined",
        ""
      ],
      [
        "takes a cursor of another organization",
        '["cursor.v1", binding.organization, binding.operation, binding.filters, payload]',
        '["cursor.v1", binding.operation, binding.filters, payload]'
      ],
      [
        "takes a cursor of another operation",
        "binding.organization, binding.operation, binding.filters, payload]",
        "binding.organization, binding.filters, payload]"
      ],
      [
        "takes a cursor with other filters",
        "binding.operation, binding.filters, payload]",
        "binding.operation, payload]"
      ]
    ]),
    ...inFile("core/organization/role.ts", [
      [
        "lets everybody do everything",
        "permissions[permission].some((holder) => holder === role)",
        "permissions[permission].length > 0 && role !== undefined"
      ]
    ]),
    ...inFile("core/person/password.ts", [
      [
        "takes a well-known password",
        'return isWellKnown(folded) || isCommonPassword(folded) ? "well_known" : undefined',
        "return undefined"
      ],
      [
        "takes an own address for a password",
        'if (email !== undefined && isOwn(folded, email.toLowerCase())) return "own_email"',
        ""
      ],
      ["takes a short password", 'if (password.length < passwordCharacters.min) return "too_short"', ""]
    ]),
    ...inFile("core/person/form.ts", [
      [
        "sends a person on to another site",
        "/^\\/(?![/\\\\])[A-Za-z0-9_~.!$&'()*+,;=:@%/?-]*$/",
        "/^\\/[A-Za-z0-9_~.!$&'()*+,;=:@%/?-]*$/"
      ],
      ["takes a name that reads as an address", " || addressLike.test(name)", ""]
    ]),
    ...inFile("core/oauth/redirectUri.ts", [
      [
        "sends a code to any address without TLS",
        "host !== undefined && isLoopback(host) ?",
        "host !== undefined && isHost(host) ?"
      ],
      ["sends a code to a URL with a fragment", ' || text.includes("#")', ""],
      ["sends a code to any scheme", "reverseDomain.test(scheme) || schemes.includes(scheme)", "true"],
      [
        "lets an operator add a scheme that browsers execute",
        " && !isForbiddenScheme(scheme) ? scheme",
        " ? scheme"
      ]
    ]),
    ...inFile("core/oauth/OAuthGrant.ts", [
      ["reads an account without a person", "return at <= 0 || at === text.length - 1", "return at <= 0"]
    ]),
    ...inFile("core/error/retry.ts", [
      [
        "tries again what will not succeed",
        "if (!row.retryable || wait === undefined)",
        "if (wait === undefined)"
      ],
      [
        "waits less than it was asked to",
        "row.status === 429 && input.retryAfterSeconds !== null ? input.retryAfterSeconds : wait",
        "wait"
      ]
    ]),
    ...inFile("core/status/condition.ts", [
      ["says healthy without its database", 'if (database.status === "down") return "down"', ""],
      [
        "says healthy while limits are degraded",
        'return cache.status === "up" ? "up" : "degraded"',
        'return "up"'
      ],
      [
        "says healthy of webhooks that nobody saw",
        'if (webhookWaitSeconds === null) return "unknown"',
        'if (webhookWaitSeconds === null) return "up"'
      ]
    ]),
    ...inFile("core/compliance/stats.ts", [
      [
        "says that all was reviewed where it was nearly",
        "Math.floor((acknowledged * 10_000) / total) / 100",
        "Math.round((acknowledged * 100) / total)"
      ],
      [
        "counts what was acknowledged as unreviewed",
        "!acknowledged && isCritical(changeType)",
        "isCritical(changeType)"
      ]
    ]),
    ...inFile("core/compliance/bulk.ts", [
      [
        "acknowledges twice what was acknowledged",
        "!facts.acknowledged.has(diffId)",
        "facts.acknowledged !== undefined"
      ],
      ["acknowledges changes that are none", 'if (valid.length === 0) return { _tag: "NoneExists" }', ""]
    ]),
    ...inFile("core/notice/due.ts", [
      [
        "tells the lower of two warnings too",
        "notices.filter((notice) => !notices.some((other) => isHigher(other, notice)))",
        "notices"
      ],
      [
        "tells again what was told",
        ".filter((notice) => !told.some((one) => isSettledBy(notice, one)))",
        ".filter((notice) => notice !== undefined && told.length >= 0 && isSettledBy !== undefined)"
      ]
    ]),
    ...inFile("core/notice/signIn.ts", [
      [
        "takes every device for a known one",
        "one.device === device && nowMs - one.seenAtMs < deviceKnownMs",
        "nowMs - one.seenAtMs < deviceKnownMs"
      ]
    ])
  ]
}
