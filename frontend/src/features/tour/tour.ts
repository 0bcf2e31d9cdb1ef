import type { Response } from '../../bridge/capabilities';
import { entry, type Manifest, refusal } from '../../bridge/manifest';
import type { BusEvent } from '../../bridge/wire';

/** The tours of the person at the desk, and their progress. */
export type Tours = Response<'tour.get'>;
export type Tour = Tours['tours'][number];
export type Step = Tour['steps'][number];

/** The events of one request: the capability, once it succeeded, and the first id of each change. */
interface Heard {
  requestId: string;
  capability?: string;
  subjects: readonly string[];
}

const KEPT = 30; // requests; the events of one come close together

/**
 * What was heard of the last requests, with one event more. A look at what would
 * happen and what failed are nothing that was done.
 */
export function hear(before: readonly Heard[], event: BusEvent): readonly Heard[] {
  const { request_id: requestId } = event;
  if (!requestId) return before;
  const known = before.find((heard) => heard.requestId === requestId) ?? { requestId, subjects: [] };
  const now = withEvent(known, event);
  return now === known ? before : [...before.filter((heard) => heard !== known), now].slice(-KEPT);
}

function withEvent(heard: Heard, event: BusEvent): Heard {
  if (event.type === 'invocation') {
    return event.status === 'success' && !event.dry_run ? { ...heard, capability: event.capability } : heard;
  }
  const subject = event.type === 'stateChange' ? event.ids?.[0] : undefined;
  return subject ? { ...heard, subjects: [...heard.subjects, subject] } : heard;
}

/** The open steps that the newest request did, of any caller. */
export function doneBy(heard: readonly Heard[], steps: readonly Step[]): Step[] {
  const last = heard.at(-1);
  return steps.filter(
    ({ state, capability, subject }) =>
      state === 'open' && capability === last?.capability && (!subject || last.subjects.includes(subject)),
  );
}

/** The tour that is being taken, and where in it. */
export function runningOf({ tours, running, step }: Tours) {
  const tour = tours.find(({ id }) => id === running);
  const at = tour?.steps.findIndex(({ id }) => id === step) ?? -1;
  const now = tour?.steps[at];
  return tour && now ? { tour, step: now, at } : undefined;
}

/** Why a step cannot be done yet, in the manifest's words; undefined when it can. */
export function inTheWay(manifest: Manifest | undefined, { capability }: Step): string | undefined {
  return manifest ? refusal(entry(manifest, capability)) : undefined;
}
