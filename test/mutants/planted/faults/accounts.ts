import type { Group } from "../Fault.ts"
import { inFile } from "../Fault.ts"

/** Credits, packs, limits and idempotency records, as the kernel decides them. */
export const accounts: Group = {
  tests: [
    "test/core/credit.test.ts",
    "test/core/usage.test.ts",
    "test/core/creditOrganization.test.ts",
    "test/core/limitEnter.test.ts",
    "test/core/limitWindow.test.ts",
    "test/core/limitHeaders.test.ts",
    "test/core/limitFailover.test.ts",
    "test/core/limitBackfill.test.ts",
    "test/core/limitOwedSlots.test.ts",
    "test/core/slotTable.test.ts",
    "test/core/idempotency.test.ts",
    "test/core/idempotencyRequest.test.ts",
    "test/core/idempotencyWorkflow.test.ts",
    "test/core/notices.test.ts"
  ],
  faults: [
    ...inFile("core/organization/credit.ts", [
      [
        "charges a request twice",
        'if (request.earlier.some((entry) => entry.kind === "charge")) {',
        "if (request.earlier.length > 1) {"
      ],
      [
        "refunds a request twice",
        'charges.length === 0 || request.earlier.some((entry) => entry.kind === "refund")',
        "charges.length === 0"
      ],
      [
        "refunds an allowance of a month that is over",
        "allowance: ended ? parts.allowance : 0",
        "allowance: 0"
      ],
      ["grants a gift twice", "if (gift.earlier.length > 0) return renewed", ""],
      [
        "goes beyond the owner's cap",
        "return overage <= overageRoom(account) ?",
        "return overage <= Number.MAX_SAFE_INTEGER ?"
      ],
      [
        "goes into overage on a plan without",
        "if (packs[account.pack].overagePriceMills === null) return 0",
        ""
      ]
    ]),
    ...inFile("core/organization/renewal.ts", [
      ["renews a month late", "current.renewsAtMs <= nowMs; month++", "current.renewsAtMs < nowMs; month++"],
      [
        "shows the next plan before its month",
        "nowMs < account.renewsAtMs\n    ? { pack: account.pack, nextPack: account.nextPack }",
        "nowMs < 0\n    ? { pack: account.pack, nextPack: account.nextPack }"
      ]
    ]),
    ...inFile("core/organization/packChoice.ts", [
      ["lowers a plan at once", "if (rank(pack) <= held) {", "if (rank(pack) === held) {"]
    ]),
    ...inFile("core/organization/usage.ts", [
      [
        "counts the credits of a call that failed",
        "credits: call.status >= 500 ? 0 : call.cost",
        "credits: call.cost"
      ],
      [
        "counts no refusal as an error",
        "errors: call.status >= 400 ? 1 : 0",
        "errors: call.status >= 500 ? 1 : 0"
      ]
    ]),
    ...inFile("core/limit/window.ts", [
      [
        "admits one call more than a minute's limit",
        "if (used + ask.cost > ask.limit) {",
        "if (used + ask.cost > ask.limit + 1) {"
      ],
      [
        "counts a call for a millisecond more than a minute",
        "admission.atMs > nowMs - windowMs",
        "admission.atMs >= nowMs - windowMs"
      ],
      ["lets the clock go back", "Math.max(clockMs, log.at(-1)?.atMs ?? clockMs)", "clockMs"],
      [
        "tells a wait that is too short",
        "if (freed >= need) return admission.atMs + windowMs - nowMs",
        "if (freed >= 1) return admission.atMs + windowMs - nowMs"
      ]
    ]),
    ...inFile("core/limit/quota.ts", [
      [
        "carries a day's use into the next",
        "const used = use.day === day ? use.used : 0",
        "const used = use.used"
      ],
      [
        "admits one call more than a day's quota",
        "if (used + ask.cost <= ask.perDay)",
        "if (used <= ask.perDay)"
      ],
      [
        "believes the lesser of two counts of a day",
        "isCounted(use, nowMs) && use.used >= told.used ? use : told",
        "isCounted(use, nowMs) && use.used <= told.used ? use : told"
      ]
    ]),
    ...inFile("core/limit/slots.ts", [
      [
        "admits one call in flight more",
        "if (live.length >= ask.concurrent) return undefined",
        "if (live.length > ask.concurrent) return undefined"
      ],
      [
        "never forgets the slot of a process that died",
        "leases.filter((lease) => lease.expiresMs > ask.nowMs)",
        "leases.filter(() => true)"
      ]
    ]),
    ...inFile("core/limit/acquire.ts", [
      [
        "uses the minute of a call that the day refuses",
        "standsMs: 0, figures: figures(day) }, state]",
        "standsMs: 0, figures: figures(day) }, { ...state, log: minute.log }]"
      ],
      [
        "guesses a day that nobody counted",
        'return [{ _tag: "DayUnknown", day: dayOf(atMs) }, found]',
        "return entered"
      ]
    ]),
    ...inFile("core/limit/policy.ts", [
      [
        "raises the plan's bound by the operator's",
        "concurrentMax === null || concurrentMax >= usual.concurrent",
        "concurrentMax === null"
      ]
    ]),
    ...inFile("core/idempotency/record.ts", [
      [
        "replays an answer to another body",
        'const same = record._tag === "Absent" || record.fingerprint === fingerprint',
        "const same = true"
      ],
      ["gives two writes one fence", "const fence = record.fence + 1", "const fence = record.fence"],
      [
        "settles a record whose turn has passed",
        "rules[phaseOf(record, owner.nowMs)].owned && record.fence === owner.fence",
        "rules[phaseOf(record, owner.nowMs)].owned"
      ],
      [
        "keeps an answer for ever",
        'return nowMs < record.expiresAtMs ? "done_live" : "done_expired"',
        'return "done_live"'
      ],
      [
        "takes a lease that ended for one that runs",
        'return nowMs < record.leaseUntilMs ? "running_live" : "running_over"',
        'return "running_live"'
      ]
    ]),
    ...inFile("core/idempotency/key.ts", [
      ["takes a key of any length", "key.length < 1 || key.length > keyLengthMax", "key.length < 1"]
    ])
  ]
}
