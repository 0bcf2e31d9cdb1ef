/** The pause between two things (ms), where the browser does not tell when it is idle. */
const REST = 250;

/** Does things one after the other, each while the window has nothing better to do; the answer ends it. */
export function whenIdle(things: readonly (() => unknown)[]): () => void {
  let ended = false;
  // WebKit does not tell when it is idle.
  const wait = () =>
    new Promise<void>((go) => {
      if ('requestIdleCallback' in window) setTimeout(() => requestIdleCallback(() => go(), { timeout: 5000 }), REST);
      else setTimeout(go, REST);
    });
  const run = async () => {
    for (const thing of things) {
      await wait();
      if (ended) return;
      await thing();
    }
  };
  run().catch(() => undefined); // what it was for tells it when it is wanted
  return () => {
    ended = true;
  };
}
