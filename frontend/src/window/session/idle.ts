/** What counts as somebody being there. */
const touches = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const;

/** How often the application is told of touches: it locks by itself when it hears of none. */
const TELL_EVERY = 30_000;

interface Told {
  /** Somebody is there. */
  stay: () => void;
  /** Nobody was for too long. */
  lock: () => void;
}

/** Watches for touches, until the answer is called. Waking up after a sleep is none: the time counts. */
export function idleWatch(target: Window, limit: number, told: Told): () => void {
  let last = Date.now();
  let spoke = 0;
  let timer = 0;
  const check = () => {
    const left = last + limit - Date.now();
    if (left > 0) {
      timer = target.setTimeout(check, left);
      return;
    }
    stop();
    told.lock();
  };
  const touched = () => {
    const now = Date.now();
    if (now - last >= limit) {
      check();
      return;
    }
    last = now;
    if (now - spoke < TELL_EVERY) return;
    spoke = now;
    told.stay();
  };
  const stop = () => {
    target.clearTimeout(timer);
    for (const name of touches) target.removeEventListener(name, touched, { capture: true });
  };
  for (const name of touches) target.addEventListener(name, touched, { capture: true, passive: true });
  touched();
  check();
  return stop;
}
