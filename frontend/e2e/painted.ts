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

/** How often each action is measured. */
export const times = Number(process.env.DESKHAND_TIMES ?? 30);

/** What is pressed to open a page. */
export const nav = (name: string) => `//nav[@aria-label="Pages"]//button[.="${name}"]`;

/** A visible row: the lists of pages that were left stay in the document, hidden. */
export const row = (list: string, holds = '') =>
  `//*[@id="${list}"][not(ancestor::*[contains(@style, "display: none")])]//*[@role="row"][1][contains(., "${holds}")]`;

/** The elapsed time, and the time the page's thread worked: on a busy machine the better figure. */
export type Drawn = Record<'took' | 'worked', number>;

/** Milliseconds from an action until what it leads to was drawn. */
export async function drawn(page: Page, act: Act, until: string): Promise<Drawn> {
  return working(page, () => painted(page, act, until));
}

/** What an action says it took, and how long the page's thread worked meanwhile. */
export async function working(page: Page, act: () => Promise<number>): Promise<Drawn> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busy = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
  };
  const before = await busy();
  const took = await act();
  const worked = (await busy()) - before;
  await cdp.detach();
  return { took, worked };
}

export const tell = (what: string, figures: object) => console.log(`${what.padEnd(44)} ${JSON.stringify(figures)}`);

/** Runs an action many times, each with its number, and prints the times. */
export async function measure(what: string, once: (i: number) => Promise<Drawn>): Promise<void> {
  const all: Drawn[] = [];
  for (let i = 0; i < times; i += 1) all.push(await once(i));
  const took = all.map((one) => one.took);
  tell(what, { took: spread(took), worked: spread(all.map(({ worked }) => worked)), each: took.map(Math.round) });
}

/** Has the page mark when the first row of the counter was drawn. */
export async function markFirstRow(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const drawn = new MessageChannel();
    drawn.port1.onmessage = () => performance.mark('first row');
    new MutationObserver((_, watch) => {
      if (!document.querySelector('#products [role=row]')) return;
      watch.disconnect();
      requestAnimationFrame(() => drawn.port2.postMessage(null));
    }).observe(document, { subtree: true, childList: true });
  });
}

/** Opens the page anew: when it was first painted, and when the first row of the counter. */
export async function startOf(page: Page): Promise<Record<'first paint' | 'first row', number>> {
  await page.reload();
  await page.waitForFunction(() => performance.getEntriesByName('first row').length > 0);
  return page.evaluate(() => {
    const at = (name: string) => performance.getEntriesByName(name)[0]?.startTime ?? 0;
    return { 'first paint': at('first-contentful-paint'), 'first row': at('first row') };
  });
}
