import type { Group } from "../Fault.ts"
import { inFile } from "../Fault.ts"

/** Where webhooks go, how they are signed, and what becomes of a delivery. */
export const outbound: Group = {
  tests: [
    "test/core/webhookTarget.test.ts",
    "test/core/webhookVerify.test.ts",
    "test/core/webhookSettle.test.ts",
    "test/core/key.test.ts",
    "test/core/webhookDelivery.test.ts",
    "test/core/webhookEndpoint.test.ts",
    "test/core/webhookSignature.test.ts",
    "test/adapters/webhookGuard.test.ts",
    "test/adapters/webhookPorts.test.ts",
    "test/adapters/webhookDial.test.ts",
    "test/adapters/webhookCases.test.ts",
    "test/adapters/webhookDocuments.test.ts",
    "test/adapters/webhookAddresses.test.ts"
  ],
  faults: [
    ...inFile("core/webhook/target.ts", [
      ["sends to any port", "if (!policy.ports.includes(port)) return", "if (Number.isNaN(port)) return"],
      [
        "sends without TLS to wherever it is told",
        "written.host === loopbackHost && policy.loopbackPorts.includes(port)",
        "policy.loopbackPorts.length >= 0"
      ],
      [
        "sends where one of several addresses is public",
        "addresses.every(isPublicAddress)",
        "addresses.some(isPublicAddress)"
      ],
      ["sends to a name without an address", 'if (addresses.length === 0) return "unresolved"', ""],
      [
        "sends to a name of any number of addresses",
        'if (addresses.length > addressesMax) return "too_many_addresses"',
        ""
      ]
    ]),
    ...inFile("core/webhook/address.ts", [
      [
        "takes what it cannot read for a public address",
        "if (address === undefined) return false",
        "if (address === undefined) return true"
      ],
      [
        "takes every address of four bytes for a public one",
        "if (address.family === 4) return !within(deniedFour, address)",
        "if (address.family === 4) return true"
      ],
      [
        "takes denied networks within the global ones for public",
        "within(globalSix, address) && !within(deniedSix, address)",
        "within(globalSix, address)"
      ]
    ]),
    ...inFile("core/network/address.ts", [
      [
        "keeps an address of four bytes in its long form",
        "address !== undefined && address.bits >> 32n === 0xffffn",
        "address === undefined"
      ],
      ["reads a number with a leading zero", "/^(0|[1-9]\\d{0,2})$/", "/^(\\d{1,3})$/"],
      ["reads a number above 255", "parts.some((part) => Number(part) > 255)", "false"],
      [
        "takes an address of another family for one of the network",
        "if (network.address.family !== address.family) return false",
        ""
      ],
      [
        "allows whoever sends no address",
        "if (address === undefined) return false\n",
        "if (address === undefined) return true\n"
      ]
    ]),
    ...inFile("core/webhook/transitions.ts", [
      [
        "tells an endpoint that is gone of events",
        "if (!statusRows[endpoint.status].shown || !matches(endpoint.events, type)) return undefined",
        "if (!matches(endpoint.events, type)) return undefined"
      ],
      [
        "delivers to an endpoint that is paused",
        'return mayAttempt(endpoint, pack) ? "pending" : "held"',
        'return "pending"'
      ],
      [
        "disables an endpoint after days with few failures",
        "days && failureCount >= givingUp.failures",
        "days"
      ],
      [
        "disables an endpoint on its first day",
        "const days = nowMs - (failingSinceMs ?? nowMs) >= givingUp.failingMs",
        "const days = true"
      ],
      [
        "changes an endpoint that was deleted",
        'if (endpoint.status === "deleted" || isStanding(endpoint, patch)) return { endpoint, deliveries: "none" }',
        'if (isStanding(endpoint, patch)) return { endpoint, deliveries: "none" }'
      ]
    ]),
    ...inFile("core/webhook/settle.ts", [
      [
        "settles an attempt whose turn has passed",
        "isItsTurn ? settleDelivery(delivery, outcome, decision) : counted(delivery, outcome)",
        "settleDelivery(delivery, outcome, decision)"
      ],
      [
        "tries again while the endpoint takes nothing",
        'settled.status === "pending" && mayAttempt(moved.endpoint, { hasWebhooks })',
        'settled.status === "pending"'
      ]
    ]),
    ...inFile("core/webhook/delivery.ts", [
      [
        "tries again after 410",
        'outcome._tag === "Answered" && outcome.status === 410',
        'outcome._tag === "Answered" && outcome.status === 411'
      ],
      ["waits without chance", "baseMs * (1 - policy.jitter + 2 * policy.jitter * attempt.random)", "baseMs"],
      [
        "never ends its schedule",
        "if (baseMs === undefined) return undefined",
        "if (baseMs === undefined) return policy.gapsMs.at(-1)"
      ],
      [
        "repeats a test",
        'delivery.event === "test.ping"\n    ? delivery',
        'delivery.event === "none"\n    ? delivery'
      ],
      [
        "asks sooner than the receiver said",
        'const askedMs = outcome._tag === "Answered" ? outcome.retryAfterMs : null',
        "const askedMs: number | null = null"
      ]
    ]),
    ...inFile("core/webhook/secret.ts", [
      ["signs with a secret that has ended", "expiresAtMs === null || nowMs < expiresAtMs", "true"],
      ["ends the old secret at once", "expiresAtMs: nowMs + secretOverlapMs", "expiresAtMs: nowMs"],
      ["takes a short secret", "bytes.length >= 24 && bytes.length <= 64", "bytes.length <= 64"]
    ]),
    ...inFile("core/webhook/verify.ts", [
      ["verifies what was signed an hour ago", "<= toleranceSeconds", "<= 3_600"],
      ["verifies an empty signature", 'signature !== "" && signatures.split', "signatures.split"],
      ["compares the first letters of a signature", "return difference === 0", "return difference < 128"]
    ]),
    ...inFile("core/webhook/signature.ts", [
      [
        "signs with the newest secret alone",
        "signing.secrets.flatMap(",
        "signing.secrets.slice(0, 1).flatMap("
      ]
    ]),
    ...inFile("adapters/webhook/dial.ts", [
      [
        "dials where one of several addresses is admitted",
        "addresses.length > 0 && addresses.every(admits)",
        "addresses.length > 0 && addresses.some(admits)"
      ],
      [
        "talks to an address that was not resolved",
        "addresses.some((address) => isSameAddress({ one: address, other: remote }))",
        "true"
      ],
      ["talks to an address that is no longer admitted", "admits(remote) &&", ""],
      ["dials an address that is no longer admitted", "addresses.filter(admits).map", "addresses.map"]
    ]),
    ...inFile("adapters/webhook/guard.ts", [
      [
        "dials wherever a name leads after it was judged",
        "route: { target, addresses, admits: isPublicAddress } }",
        "route: { target, addresses, admits: () => true } }"
      ]
    ]),
    ...inFile("adapters/webhook/Documents.ts", [
      [
        "takes part of a document for the whole",
        'heard._tag === "Failed" || heard.isCut',
        'heard._tag === "Failed"'
      ],
      [
        "reads a compressed document as text",
        'if ((heard.headers["content-encoding"] ?? "identity") !== "identity") return refused',
        ""
      ]
    ]),
    ...inFile("adapters/webhook/Addresses.ts", [
      [
        "takes a resolver that is down for a name without addresses",
        'four === "down" || six === "down" ? "ResolverDown" : "Unresolved"',
        '"Unresolved"'
      ]
    ])
  ]
}
