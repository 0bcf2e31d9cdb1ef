/** How long a missing event is waited for, in ms. It may have gone to the page that was here before a reload. */
const PATIENCE = 250;

/**
 * Delivers events in the order of their numbers. Wails' development server writes each from a goroutine
 * of its own, so one may overtake another. The first event heard begins the order; an event
 * that comes after its turn was given up is delivered at once.
 */
export function inSequence(): (listener: (payload: string) => void) => (payload: string, number: number) => void {
  const early = new Map<number, () => void>();
  let next = Number.NaN;
  let patience: ReturnType<typeof setTimeout> | undefined;
  const drain = () => {
    clearTimeout(patience);
    patience = undefined;
    for (let deliver = early.get(next); deliver; deliver = early.get(next)) {
      early.delete(next);
      next += 1;
      deliver();
    }
    if (early.size > 0) patience = setTimeout(giveUp, PATIENCE);
  };
  const giveUp = () => {
    next = Math.min(...early.keys());
    drain();
  };
  return (listener) => (payload, number) => {
    if (Number.isNaN(next)) next = number;
    if (number < next) return listener(payload);
    early.set(number, () => listener(payload));
    if (number === next) drain();
    else patience ??= setTimeout(giveUp, PATIENCE);
  };
}
