import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Acknowledgements } from "../../core/port/Acknowledgements.ts"
import { Attempts } from "../../core/port/Attempts.ts"
import { Deliveries } from "../../core/port/Deliveries.ts"
import { Endpoints } from "../../core/port/Endpoints.ts"
import { Jobs } from "../../core/port/Jobs.ts"
import { acknowledgementsLaws, sharedAcknowledgementsLaws } from "../kit/acknowledgementsLaws.ts"
import { attemptsLaws, sharedAttemptsLaws } from "../kit/attemptsLaws.ts"
import { deliveriesLaws, sharedDeliveriesLaws } from "../kit/deliveriesLaws.ts"
import { endpointsLaws, sharedEndpointsLaws } from "../kit/endpointsLaws.ts"
import { jobsLaws, sharedJobsLaws } from "../kit/jobsLaws.ts"
import { acknowledgementsMutants, deliveriesMutants, endpointsMutants } from "../kit/mutants/webhookStores.ts"
import { attemptsMutants, jobsMutants } from "../kit/mutants/webhookWork.ts"
import { memoryWebhooks } from "../kit/webhooks.ts"
import { lawsTrial } from "./trial.ts"

/** Memory stores of which one port is spoiled; the other process's stay right. */
const spoiling =
  <Self, Port extends object>(port: Context.Key<Self, Port>) =>
  (spoil: (right: Port) => Partial<Port>) =>
    Layer.effect(
      port,
      Effect.map(port, (right): Port => ({ ...right, ...spoil(right) }))
    ).pipe(Layer.provideMerge(memoryWebhooks))

const nothing = () => ({})
const lawMsMax = 8_000

const endpoints = spoiling(Endpoints)
lawsTrial({
  of: "webhook endpoints",
  laws: [...endpointsLaws, ...sharedEndpointsLaws],
  mutants: endpointsMutants.map(({ says, spoil }) => ({ says, planted: endpoints(spoil) })),
  sound: endpoints(nothing),
  lawMsMax
})

const deliveries = spoiling(Deliveries)
lawsTrial({
  of: "deliveries",
  laws: [...deliveriesLaws, ...sharedDeliveriesLaws],
  mutants: deliveriesMutants.map(({ says, spoil }) => ({ says, planted: deliveries(spoil) })),
  sound: deliveries(nothing),
  lawMsMax
})

const attempts = spoiling(Attempts)
lawsTrial({
  of: "attempts",
  laws: [...attemptsLaws, ...sharedAttemptsLaws],
  mutants: attemptsMutants.map(({ says, spoil }) => ({ says, planted: attempts(spoil) })),
  sound: attempts(nothing),
  lawMsMax
})

const jobs = spoiling(Jobs)
lawsTrial({
  of: "jobs",
  laws: [...jobsLaws, ...sharedJobsLaws],
  mutants: jobsMutants.map(({ says, spoil }) => ({ says, planted: jobs(spoil) })),
  sound: jobs(nothing),
  lawMsMax
})

const acknowledgements = spoiling(Acknowledgements)
lawsTrial({
  of: "acknowledgements",
  laws: [...acknowledgementsLaws, ...sharedAcknowledgementsLaws],
  mutants: acknowledgementsMutants.map(({ says, spoil }) => ({ says, planted: acknowledgements(spoil) })),
  sound: acknowledgements(nothing),
  lawMsMax
})
