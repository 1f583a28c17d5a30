import type { Migration } from "./migrate.ts"
import * as accounts from "./migrations/0001-accounts.ts"
import * as library from "./migrations/0002-library.ts"
import * as idempotency from "./migrations/0003-idempotency.ts"
import * as usage from "./migrations/0004-usage.ts"
import * as decisions from "./migrations/0005-decisions.ts"
import * as testKeys from "./migrations/0006-test-keys.ts"
import * as webhooks from "./migrations/0007-webhooks.ts"
import * as releases from "./migrations/0008-releases.ts"
import * as people from "./migrations/0009-people.ts"
import * as audit from "./migrations/0010-audit.ts"
import * as usageTool from "./migrations/0011-usage-tool.ts"
import * as oauth from "./migrations/0012-oauth.ts"
import * as notices from "./migrations/0013-notices.ts"
import * as usageByRequest from "./migrations/0014-usage-by-request.ts"
import * as priorAuthLists from "./migrations/0015-prior-auth-lists.ts"
import * as ncdCodes from "./migrations/0016-ncd-codes.ts"
import * as codeEditions from "./migrations/0017-code-editions.ts"
import * as search from "./migrations/0018-search.ts"
import * as chargeRows from "./migrations/0019-charge-rows.ts"
import * as probe from "./migrations/0020-probe.ts"
import * as byOrganization from "./migrations/0021-by-organization.ts"

/** Every step of the schema in order. A new one is a file and a row. */
export const migrations: ReadonlyArray<Migration> = [
  { id: 1, name: "0001-accounts", statements: accounts.statements },
  { id: 2, name: "0002-library", statements: library.statements },
  { id: 3, name: "0003-idempotency", statements: idempotency.statements },
  { id: 4, name: "0004-usage", statements: usage.statements },
  { id: 5, name: "0005-decisions", statements: decisions.statements },
  { id: 6, name: "0006-test-keys", statements: testKeys.statements },
  { id: 7, name: "0007-webhooks", statements: webhooks.statements },
  { id: 8, name: "0008-releases", statements: releases.statements },
  { id: 9, name: "0009-people", statements: people.statements },
  { id: 10, name: "0010-audit", statements: audit.statements },
  { id: 11, name: "0011-usage-tool", statements: usageTool.statements },
  { id: 12, name: "0012-oauth", statements: oauth.statements },
  { id: 13, name: "0013-notices", statements: notices.statements },
  { id: 14, name: "0014-usage-by-request", statements: usageByRequest.statements },
  { id: 15, name: "0015-prior-auth-lists", statements: priorAuthLists.statements },
  { id: 16, name: "0016-ncd-codes", statements: ncdCodes.statements },
  { id: 17, name: "0017-code-editions", statements: codeEditions.statements },
  { id: 18, name: "0018-search", statements: search.statements },
  { id: 19, name: "0019-charge-rows", statements: chargeRows.statements },
  { id: 20, name: "0020-probe", statements: probe.statements },
  { id: 21, name: "0021-by-organization", statements: byOrganization.statements }
]
