import type { Page } from '@playwright/test';
import { dropCallsWhileLeaving, openPage, test } from './desk';
import { drawn, markFirstRow, nav, row, spread, startOf, tell, times, working } from './painted';

/*
 * What 200 pictures cost: the same shop of 10 000 products without and with them, one after the other in each round.
 * Nothing is asserted of time, only that the rows and the pictures came:
 *
 *   DESKHAND_PICTURED=DIR build/flows.sh build/bin/deskhand-dev picture-figures --grep @figures
 */
const [without = '', pictured = ''] = process.env.DESKHAND_PICTURED_URLS?.trim().split(' ') ?? [];
test.skip(!pictured, 'the two shops are the real ones');
test.use({ baseURL: without });

/** True once each row in view has its picture, decoded. */
const allDrawn = (list: string) => {
  const rows = [...document.querySelectorAll(`#${list} [role=row]`)];
  const loaded = rows.filter((row) => row.querySelector('img')?.complete);
  return rows.length > 0 && loaded.length === rows.length;
};

test('two hundred pictures @figures', async ({ desk }) => {
  test.setTimeout(1_200_000); // thirty rounds, each with three seconds of quiet in both shops
  const beside = await desk.context().newPage();
  await dropCallsWhileLeaving(beside);
  await beside.goto(pictured);
  for (const page of [desk, beside]) await markFirstRow(page);
  await openPage(beside, 'Counter');

  /** Measures an action in both shops in turn, and prints both. */
  const compare = async (what: string, once: (page: Page, i: number) => Promise<Record<string, number>>) => {
    const all = { without: {}, with: {} } as Record<'without' | 'with', Record<string, number[]>>;
    for (let i = 0; i < times; i += 1) {
      for (const which of i % 2 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
        const figures = await once(which === 'with' ? beside : desk, i);
        for (const [name, ms] of Object.entries(figures)) all[which][name] = [...(all[which][name] ?? []), ms];
      }
    }
    const spreads = (of: Record<string, number[]>) =>
      Object.fromEntries(Object.entries(of).map(([name, ms]) => [name, spread(ms)]));
    tell(what, { without: spreads(all.without), with: spreads(all.with) });
  };

  await compare('Reload', startOf);
  await compare('Catalog: opened for the first time', async (page) => {
    await openPage(page, 'Counter');
    await page.reload();
    await page.waitForTimeout(3000);
    const one = await drawn(page, { click: nav('Catalog') }, row('catalog'));
    if (page === beside) await page.waitForFunction(allDrawn, 'catalog');
    return one;
  });
  await compare('Catalog: opened again', async (page) => {
    await openPage(page, 'Counter');
    await page.waitForTimeout(100);
    return drawn(page, { click: nav('Catalog') }, row('catalog'));
  });
  await compare('Catalog: through 200 products', async (page) => {
    await openPage(page, 'Catalog');
    await page.locator('#catalog').focus();
    await page.keyboard.press('Home');
    await page.waitForTimeout(200);
    return working(page, () =>
      page.evaluate(async () => {
        const frame = () => new Promise(requestAnimationFrame);
        const list = document.querySelector('#catalog') as HTMLElement;
        const rowHeight = list.querySelector('[role=row]')?.getBoundingClientRect().height ?? 0;
        const began = performance.now();
        for (let top = 0; top < 200 * rowHeight; top += 120) {
          list.scrollTop = top; // as far as a notch of a wheel
          await frame();
        }
        return performance.now() - began;
      }),
    );
  });
  await openPage(desk, 'Counter');
  await openPage(beside, 'Counter');
  await compare('Counter: a product is searched', async (page, i) => {
    await page.waitForTimeout(250); // the earlier requests have ended
    const name = String(10 + i).padStart(5, '0');
    const field = '//input[@aria-label="Search products"]';
    return drawn(page, { fill: field, text: `number ${name}` }, row('products', `number ${name}`));
  });
  const heap = async (page: Page) => {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('HeapProfiler.collectGarbage');
    const { usedSize } = await cdp.send('Runtime.getHeapUsage');
    return Math.round((usedSize / 2 ** 20) * 10) / 10;
  };
  tell('After all that', { without: { 'heap, MB': await heap(desk) }, with: { 'heap, MB': await heap(beside) } });
});
