/** The events that count as use of the window. */
const touches = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const;

/** The interval in which the application is told of use: it locks by itself when it hears of none. */
const TELL_EVERY = 30_000;

interface IdleHandlers {
  /** The window is used. */
  stay: () => void;
  /** The window was not used for too long. */
  lock: () => void;
}

/** Watches for use until the returned function is called. Time asleep counts as idle. */
export function idleWatch(target: Window, limit: number, told: IdleHandlers): () => void {
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
