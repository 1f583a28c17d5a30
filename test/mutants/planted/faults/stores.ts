import type { Group } from "../Fault.ts"
import { inFile } from "../Fault.ts"

/** The statements of the stores: whose rows they read and write, and when these end. */
export const stores: Group = {
  tests: [
    "test/adapters/members.test.ts",
    "test/adapters/notices.test.ts",
    "test/adapters/oauth.test.ts",
    "test/adapters/oauthSweeping.test.ts",
    "test/adapters/audit.test.ts",
    "test/adapters/reviews.test.ts",
    "test/adapters/webhookStores.test.ts",
    "test/adapters/keys.test.ts",
    "test/adapters/claimEdits.test.ts",
    "test/adapters/ncdCodes.test.ts",
    "test/adapters/priorAuthLists.test.ts",
    "test/adapters/idempotency.test.ts",
    "test/adapters/limits.test.ts"
  ],
  faults: [
    ...inFile("adapters/postgres/Audit.ts", [
      [
        "shows the log of every organization",
        "where organization_id = ${organizationId}\n",
        "where ${organizationId} <> ''\n"
      ]
    ]),
    ...inFile("adapters/postgres/Reviews.ts", [
      [
        "takes another organization's acknowledgement for one's own",
        "where a.organization_id = ${query.organizationId} and a.diff_id = c.diff_id)",
        "where ${query.organizationId} <> '' and a.diff_id = c.diff_id)"
      ]
    ]),
    ...inFile("adapters/postgres/Acknowledgements.ts", [
      [
        "acknowledges a change twice",
        "on conflict (organization_id, diff_id) do nothing returning *",
        "on conflict (organization_id, diff_id) do update set notes = excluded.notes returning *"
      ]
    ]),
    ...inFile("adapters/postgres/Endpoints.ts", [
      [
        "lists endpoints that were deleted",
        "where organization_id = ${organizationId} and status <> 'deleted' order by endpoint_id",
        "where organization_id = ${organizationId} order by endpoint_id"
      ],
      [
        "finds another organization's endpoint",
        "and organization_id = ${organizationId} and status <> 'deleted' ${sql.literal(lock)}",
        "and ${organizationId} <> '' and status <> 'deleted' ${sql.literal(lock)}"
      ],
      [
        "keeps any number of endpoints",
        "where organization_id = ${organizationId} and status <> 'deleted') < ${endpointsMax}",
        "where organization_id = ${organizationId} and status = 'deleted') < ${endpointsMax}"
      ]
    ]),
    ...inFile("adapters/postgres/Deliveries.ts", [
      ["replays tests", "and d.event <> 'test.ping'\n", "and d.event <> ''\n"],
      [
        "replays what came at the end of the window",
        "d.created_at < ${time(untilMs)} returning 1",
        "d.created_at <= ${time(untilMs)} returning 1"
      ]
    ]),
    ...inFile("adapters/postgres/Attempts.ts", [
      [
        "attempts a delivery whose turn has passed",
        "where delivery_id = ${deliveryId} and turn = ${turn} and status = 'pending'",
        "where delivery_id = ${deliveryId} and turn >= ${turn} and status = 'pending'"
      ]
    ]),
    ...inFile("adapters/postgres/oauth/AccessTokens.ts", [
      ["knows a token after the end of its grant", " and ends_at > $2::timestamptz", ""],
      [
        "knows a token after its hour",
        "expires_at > $2::timestamptz and ends_at > $2::timestamptz",
        "ends_at > $2::timestamptz"
      ],
      [
        "knows a refresh token for an access token",
        "where model = 'AccessToken' and hash = $1",
        "where model <> '' and hash = $1"
      ]
    ]),
    ...inFile("adapters/postgres/oauth/OAuthGrants.ts", [
      [
        "disconnects another organization's app",
        "where grant_id = ${grantId} and organization_id = ${organizationId} returning 1",
        "where grant_id = ${grantId} and ${organizationId} <> '' returning 1"
      ],
      [
        "lists grants that have ended",
        "where g.organization_id = ${organizationId} and g.ends_at > ${time(nowMs)}",
        "where g.organization_id = ${organizationId} and ${time(nowMs)} <> ''"
      ]
    ]),
    ...inFile("adapters/postgres/oauth/OAuthRecords.ts", [
      [
        "spends a token twice",
        "where model = ${model} and hash = ${hash} and spent_at is null returning 1",
        "where model = ${model} and hash = ${hash} returning 1"
      ],
      [
        "keeps the grant of a token that came twice",
        "yield* sql`delete from oauth_grant where grant_id = ${row.grant_id}`",
        ""
      ],
      ["saves a token of a grant that ended", "if (open.length === 0) return false", ""]
    ]),
    ...inFile("core/oauth/rotation.ts", [
      ["accepts a rotated token at any time", " && nowMs - spentAtMs <= rotationWindowMs", ""],
      ["gives a code a window too", 'model === "RefreshToken" && spentAtMs', "spentAtMs"]
    ]),
    ...inFile("adapters/postgres/oauth/OAuthClients.ts", [
      [
        "forgets a client that somebody consented to",
        "where used_at is null and registered_at <= ${time(untilMs)}",
        "where registered_at <= ${time(untilMs)}"
      ]
    ]),
    ...inFile("adapters/postgres/members/invitations.ts", [
      [
        "lets somebody join by another's invitation",
        'if (invitation.email !== person.email) return "other_address"',
        ""
      ],
      [
        "lets somebody join by an invitation that ended",
        "where invitation_id = ${invitationId} and expires_at > ${yield* now}",
        "where invitation_id = ${invitationId} and ${yield* now} is not null"
      ],
      [
        "withdraws another organization's invitation",
        "where invitation_id = ${input.invitationId} and organization_id = ${input.organizationId} returning 1",
        "where invitation_id = ${input.invitationId} and ${input.organizationId} <> '' returning 1"
      ],
      ["invites without end", 'if (open.length >= input.openMax) return "too_many"', ""]
    ]),
    ...inFile("adapters/postgres/notice/emails.ts", [
      [
        "gives an email to two hands",
        "due_at = $2::timestamptz\n",
        "due_at = l.due_at + ($2::timestamptz - $2::timestamptz)\n"
      ]
    ]),
    ...inFile("adapters/postgres/Notices.ts", [
      [
        "dismisses a notice of another organization",
        "and (organization_id = ${organizationId} or person_id = ${personId})",
        "and (${organizationId} <> '' or person_id = ${personId})"
      ]
    ]),
    ...inFile("adapters/postgres/ClaimEdits.ts", [
      [
        "finds a pair edit after its last day",
        "where deletion_date is null or deletion_date >= ${date}",
        "where deletion_date is null or ${date} <> ''"
      ],
      [
        "finds a pair edit by one of its columns",
        "column1 = any(${asked}::text[]) and column2 = any(${asked}::text[])",
        "(column1 = any(${asked}::text[]) or column2 = any(${asked}::text[]))"
      ]
    ]),
    ...inFile("adapters/postgres/PriorAuthLists.ts", [
      [
        "replaces a list by an older one",
        "where kept.list_as_of <= excluded.list_as_of and kept.snapshot_id",
        "where kept.snapshot_id"
      ]
    ]),
    ...inFile("adapters/postgres/NcdCodes.ts", [
      [
        "lets the shipped row stand before the imported one",
        "order by policy_id, code, origin`",
        "order by policy_id, code, origin desc`"
      ]
    ]),
    ...inFile("adapters/postgres/Idempotency.ts", [
      ["forgets records a day early", "- interval '${forgottenMs} milliseconds'", "- interval '1 hour'"]
    ]),
    ...inFile("adapters/redis/enter.lua.ts", [
      [
        "counts slots that ended",
        "if ends > now then\n        live = live + 1",
        "if ends > 0 then\n        live = live + 1"
      ]
    ])
  ]
}
