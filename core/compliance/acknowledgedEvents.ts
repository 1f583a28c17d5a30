import type { IsoTime } from "../coverage/date.ts"
import { eventBytesMax, utf8Bytes } from "../webhook/event.ts"
import type { Acknowledgement } from "./Acknowledgement.ts"

/** `data` of compliance.acknowledged, in the wire's names: ids alone, and no notes. */
export type AcknowledgedEvent = {
  readonly acknowledgement_ids: ReadonlyArray<number>
  readonly diff_ids: ReadonlyArray<number>
  /** Each once. */
  readonly policy_ids: ReadonlyArray<string>
  readonly acknowledged_at: IsoTime
}

/** Left for the id, type, time and version around the data. */
const envelopeBytesMax = 500

/**
 * The events that new acknowledgements of one call emit: none for none, and one that lists them all. Only
 * where long policy ids would carry a body past its bound are there more, each with a part of the list;
 * nothing is left out.
 */
export const acknowledgedEvents = (
  acknowledgements: ReadonlyArray<Acknowledgement>
): ReadonlyArray<AcknowledgedEvent> => {
  const [first] = acknowledgements
  if (first === undefined) return []
  const event: AcknowledgedEvent = {
    acknowledgement_ids: acknowledgements.map(({ acknowledgementId }) => acknowledgementId),
    diff_ids: acknowledgements.map(({ diffId }) => diffId),
    policy_ids: [...new Set(acknowledgements.map(({ policyId }) => policyId))],
    acknowledged_at: first.acknowledgedAt
  }
  const fits = utf8Bytes(JSON.stringify(event)) < eventBytesMax - envelopeBytesMax
  if (fits || acknowledgements.length === 1) return [event]
  const half = Math.ceil(acknowledgements.length / 2)
  return [
    ...acknowledgedEvents(acknowledgements.slice(0, half)),
    ...acknowledgedEvents(acknowledgements.slice(half))
  ]
}
