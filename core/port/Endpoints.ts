import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { OrganizationId } from "../organization/Organization.ts"
import type { Endpoint, NewEndpoint } from "../webhook/Endpoint.ts"
import type { EndpointTransition } from "../webhook/transitions.ts"
import { StoreFault } from "../error/StoreFault.ts"

export class EndpointsUnavailable extends Schema.TaggedError<EndpointsUnavailable>()("EndpointsUnavailable", {
  fault: StoreFault
}) {}

/** An endpoint by whose it is: another organization's is not found. */
export interface EndpointKey {
  readonly organizationId: OrganizationId
  readonly endpointId: number
}

/**
 * The webhook endpoints of every organization (§2.2, §3.1, contract §2). An organization is an id and need
 * not have a row: a test key is one of its own. Secrets are kept as the sealed bytes they are given as.
 *
 * 1. For any history the adapter answers as the kernel folded over that history; ids count up.
 * 2. However many are created at once, an organization never has more than `endpointsMax` that are not
 *    deleted: `create` is `full` beyond.
 * 3. `change` carries out the kernel's decision over the endpoint as it stands, locked, so that of changes at
 *    once none is lost.
 * 4. A deleted endpoint is found by nobody and changed by nothing; nor is another organization's.
 * 5. Where the decision resumes deliveries, a job that does so is offered with the change.
 * 6. Each verb joins the write around it; what is answered is seen from another connection at once.
 * 7. An unavailable store fails with EndpointsUnavailable.
 */
export class Endpoints extends Context.Service<
  Endpoints,
  {
    readonly create: (endpoint: NewEndpoint) => Effect.Effect<Endpoint | "full", EndpointsUnavailable>
    /** Those that are not deleted, by id. */
    readonly list: (
      organizationId: OrganizationId
    ) => Effect.Effect<ReadonlyArray<Endpoint>, EndpointsUnavailable>
    readonly find: (place: EndpointKey) => Effect.Effect<Endpoint | undefined, EndpointsUnavailable>
    /**
     * `move` is patchEndpoint, rotateEndpointSecret or moveEndpoint of the kernel; undefined: there is no
     * such endpoint. The answer is the endpoint as it became, a deleted one too.
     */
    readonly change: (
      place: EndpointKey,
      move: (endpoint: Endpoint) => EndpointTransition
    ) => Effect.Effect<Endpoint | undefined, EndpointsUnavailable>
  }
>()("coverage/core/port/Endpoints") {}
