import type * as Effect from "effect/Effect"
import { describe, expectTypeOf, it } from "vitest"
import type {
  CallFailed,
  CallRefused,
  Client,
  EffectClient,
  TextAnswer
} from "../../adapters/client/client.ts"
import type { ErrorCode } from "../../core/error/table.ts"
import { operationIds } from "../../core/operation/catalogue.ts"
import { makeClient } from "../../adapters/client/client.ts"

/** Never called: what compiles is what is tested, and `npm run check` compiles it. */
const written = async (client: Client, effects: EffectClient) => {
  const policy = await client.getPolicy({ id: "L1", include: ["codes"], as_of: "2026-01-01" })
  expectTypeOf(policy.data.version).toEqualTypeOf<number>()
  expectTypeOf(policy.meta.disclaimer).toEqualTypeOf<string>()
  await client.getPolicy({ id: "L1", include: "codes,criteria" })
  await client.lookupCode({ code: "E0650", fuzzy: true })
  await client.listPayers()
  const list = await client.listPolicies({ limit: 2, status: "all" })
  expectTypeOf(list.meta.pagination.cursor).toEqualTypeOf<string | null>()
  expectTypeOf(await client.listPolicies({ format: "csv" })).toEqualTypeOf<TextAnswer>()
  for await (const { diff_id: id } of client.items("listPolicyChanges", {}))
    expectTypeOf(id).toEqualTypeOf<number>()
  const made = effects.createWebhook({ url: "https://a.example", events: ["*"] })
  expectTypeOf<Effect.Error<typeof made>>().toEqualTypeOf<CallRefused | CallFailed>()
  expectTypeOf<Effect.Success<typeof made>["data"]["secret"]>().toEqualTypeOf<string>()
  expectTypeOf<ErrorCode>().toExtend<CallRefused["code"]>()

  // @ts-expect-error an id is required
  await client.getPolicy({})
  // @ts-expect-error nothing can be left out that is required
  await client.lookupCode()
  // @ts-expect-error the words of an enumeration are known
  await client.listPolicies({ status: "open" })
  // @ts-expect-error a name that the operation does not have
  await client.getPayer({ code: "medicare", verbose: true })
  // @ts-expect-error what is no list has no pages
  client.pages("getPolicy", { id: "L1" })
  // @ts-expect-error no such operation
  await client.deletePolicy({ id: "L1" })
}

describe("the types of the client", () => {
  it("have a method for every operation, and the client has each of them", () => {
    expectTypeOf(written).toBeFunction()
    const client = makeClient({ baseUrl: "https://api.coverage.example" })
    for (const id of operationIds) expectTypeOf(client[id]).toBeFunction()
    if (operationIds.some((id) => typeof client[id] !== "function")) throw new Error("a method is missing")
  })
})
