import type { BusEvent } from '../../bridge/wire';

/** A running task and its progress. */
export interface Running {
  id: string;
  percent?: number;
  message?: string;
}

/** The running tasks after an event: a task comes with its first progress and goes with its result. */
export function runningAfter(before: readonly Running[], event: BusEvent): readonly Running[] {
  if (event.type === 'progress') {
    const { task_id: id, percent, message } = event;
    const known = before.find((task) => task.id === id);
    const task = { ...known, id, ...(percent !== undefined && { percent }), ...(message && { message }) };
    return known ? before.map((one) => (one === known ? task : one)) : [...before, task];
  }
  if (event.type !== 'invocation' || !before.some(({ id }) => id === event.request_id)) return before;
  return before.filter(({ id }) => id !== event.request_id);
}

/** Actions on the window itself, which need no undo. */
const ofTheWindow = ['theme', 'language', 'tour', 'session', 'audit'];

/** Whether an event is an action by hand that deserves a notice with an undo. */
export function isOwnDeed(event: BusEvent, withoutNotice: readonly string[]): boolean {
  if (event.type !== 'invocation' || event.status !== 'success' || event.dry_run || event.replayed) return false;
  const [subject = ''] = event.capability.split('.');
  return event.caller?.type === 'ui' && !ofTheWindow.includes(subject) && !withoutNotice.includes(subject);
}
