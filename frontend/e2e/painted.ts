import type { Page } from '@playwright/test';

/** An action in the page: a click, or a text put into a field. Elements are named by XPath. */
export type Act = { click: string } | { fill: string; text: string };

/**
 * Milliseconds from an action until an element is there and its frame was drawn:
 * a message posted while a frame is prepared arrives after the frame was drawn.
 */
export async function painted(page: Page, act: Act, until: string): Promise<number> {
  return page.evaluate(
    ([done, awaited]) =>
      new Promise<number>((resolve) => {
        const find = (path: string) =>
          document.evaluate(path, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE).singleNodeValue;
        const there = () => document.evaluate(awaited, document, null, XPathResult.BOOLEAN_TYPE).booleanValue;
        const drawn = new MessageChannel();
        const watch = new MutationObserver(() => look());
        const look = () => {
          if (!there()) return;
          watch.disconnect();
          requestAnimationFrame(() => drawn.port2.postMessage(null));
        };
        const start = performance.now();
        drawn.port1.onmessage = () => resolve(performance.now() - start);
        watch.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
        if ('click' in done) {
          (find(done.click) as HTMLElement).click();
        } else {
          const field = find(done.fill) as HTMLInputElement;
          Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, done.text);
          field.dispatchEvent(new Event('input', { bubbles: true }));
        }
        look();
      }),
    [act, until] as const,
  );
}

/** The count, the median, the 95th percentile and the maximum, in whole milliseconds. */
export function spread(times: number[]) {
  const sorted = times.map(Math.round).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { times: sorted.length, p50: at(0.5), p95: at(0.95), most: sorted.at(-1) };
}
