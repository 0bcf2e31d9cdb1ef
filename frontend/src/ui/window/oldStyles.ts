/** The interval in ms: a quick person leaves a few MB of styles behind in that time. */
const EVERY = 30_000;

/**
 * Has WebKit forget styles that no element has any more. It keeps what it found for
 * each element under the custom properties that the element inherits; ours are set
 * on many, so that each dialog and page leaves its entries behind: 1.5 MB for half a
 * dozen pages, without end. Another size of the root, by less than anything can be
 * seen of, drops them. Nothing is done while the window is not used.
 */
export function forgetOldStyles({ document }: Window): void {
  const { style } = document.documentElement;
  let used = false;
  for (const what of ['pointerdown', 'keydown', 'wheel'])
    document.addEventListener(what, () => (used = true), { capture: true, passive: true });
  setInterval(() => {
    if (!used) return;
    used = false;
    const now = Number.parseFloat(style.fontSize || '100');
    const size = Math.floor(now); // that of sizes.ts
    style.fontSize = `${now === size ? size + 0.001 : size}%`;
  }, EVERY);
}
