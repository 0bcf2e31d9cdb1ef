import { statSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { openPage, test } from './desk';
import { frameByFrame } from './frames';
import { painted, spread } from './painted';

/*
 * The times of the audit on a long history. No time is asserted:
 *
 *   DESKHAND_FLOWS=all DESKHAND_RECORDS=1000000 DESKHAND_HISTORY=DIR build/flows.sh build/bin/deskhand-dev --grep @figures
 */
test.skip(!process.env.DESKHAND_HISTORY_URL, 'a long history is the real journal’s');
test.use({ baseURL: process.env.DESKHAND_HISTORY_URL });

const list = (page: Page) => page.getByRole('grid', { name: 'Records' });
const tell = (what: string, figures: object) => console.log(`${what}: ${JSON.stringify(figures)}`);

test('time to the first rows @figures', async ({ desk }) => {
  const times: number[] = [];
  for (let i = 0; i < 8; i += 1) {
    await desk.reload();
    await openPage(desk, 'Counter');
    await desk.waitForTimeout(1000);
    times.push(await painted(desk, { click: '//nav//button[.="Audit"]' }, '//*[@id="records"]//*[@role="row"]'));
  }
  tell('first rows, ms', spread(times));
});

test('from a filter to its count and rows @figures', async ({ desk }) => {
  await openPage(desk, 'Audit');
  await expect(list(desk)).toBeVisible();
  const times: number[] = [];
  for (const filter of ['Caller', 'Action', 'Outcome', 'Risk', 'Person']) {
    const box = desk.getByRole('combobox', { name: filter, exact: true });
    for (let i = 0; i < 6; i += 1) {
      await box.click();
      const options = desk.getByRole('option', { name: / · [\d,]+$/ });
      await expect(options.first()).toBeVisible();
      const text = await options.nth(Math.min(i, (await options.count()) - 1)).textContent();
      if ((await box.inputValue()) === text) {
        await desk.keyboard.press('Escape'); // choosing it once more would take it away
        continue;
      }
      await desk.waitForTimeout(400);
      const found = `${text?.split(' · ').at(-1)} record`;
      times.push(
        await painted(
          desk,
          { click: `//*[@role="option"][.=${JSON.stringify(text)}]` },
          `//*[@role="status"][starts-with(normalize-space(.), "${found}")] and //*[@id="records"]//*[@role="row"]`,
        ),
      );
      await desk.waitForTimeout(400);
    }
    await desk.locator(`[aria-label="Any ${filter.toLowerCase()}"]`).first().click();
  }
  tell('filter to painted, ms', spread(times));
});

test('scrolling @figures', async ({ desk }) => {
  await openPage(desk, 'Audit');
  await expect(list(desk)).toBeVisible();
  const cdp = await desk.context().newCDPSession(desk);
  await cdp.send('Performance.enable');
  const held = async () => {
    await cdp.send('HeapProfiler.collectGarbage');
    const { metrics } = await cdp.send('Performance.getMetrics');
    const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0;
    const row = await list(desk).evaluate((element) => Math.round(element.scrollTop / 38));
    return { row, heapMB: Math.round(heap / 1e6) };
  };
  const during = async (what: string, ms: number, act: () => Promise<unknown>) => {
    const end = Date.now() + ms;
    const frames = await frameByFrame(desk, 'records', async () => {
      while (Date.now() < end) await act();
    });
    tell(what, { ...frames, ...(await held()) });
  };
  tell('at the beginning', await held());
  await list(desk).hover();
  await during('wheel down, 20 s', 20_000, () => desk.mouse.wheel(0, 1200));
  await during('to the end again and again, 60 s', 60_000, async () => {
    await list(desk).evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await desk.waitForTimeout(16);
  });
  await during('wheel up, 20 s', 20_000, () => desk.mouse.wheel(0, -1200));
  let jump = 0;
  await during('jumps to anywhere, 20 s', 20_000, async () => {
    jump = (jump + 0.37) % 1;
    await list(desk).evaluate((element, share) => element.scrollTo(0, element.scrollHeight * share), jump);
    await desk.waitForTimeout(250);
  });
});

test('verify and export @figures', async ({ desk }) => {
  await openPage(desk, 'Audit');
  await expect(list(desk)).toBeVisible();
  const timed = async (act: () => Promise<void>, done: RegExp) => {
    const start = Date.now();
    await act();
    const status = desk.getByRole('status').filter({ hasText: done });
    await expect(status).toBeVisible({ timeout: 600_000 });
    const seconds = (Date.now() - start) / 1000;
    const text = (await status.textContent()) ?? '';
    await desk.getByRole('button', { name: 'Dismiss' }).click();
    return { seconds, text };
  };
  tell('verify', await timed(() => desk.getByRole('button', { name: 'Verify' }).click(), /as they were written/));
  for (const item of ['JSON lines', 'CSV, for a spreadsheet']) {
    const { seconds, text } = await timed(async () => {
      await desk.getByRole('button', { name: 'Export' }).click();
      await desk.getByRole('menuitem', { name: item }).click();
    }, /written to/);
    tell(`export, ${item}`, { seconds, megabytes: Math.round(statSync(text.split(' to ').at(-1) ?? '').size / 1e6) });
  }
});
