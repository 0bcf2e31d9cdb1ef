import { expect, type Page } from '@playwright/test';
import { openPage, putGuji, test, typeText } from './desk';
import { frameByFrame } from './frames';
import { look } from './look';

/*
 * The audit over a long history: build/flows.sh makes it, 20 000 records unless
 * DESKHAND_RECORDS says a million.
 * They are all @long: build/flows.sh opens that shop for them with DESKHAND_FLOWS=all.
 */
const url = process.env.DESKHAND_HISTORY_URL;
const records = Number(process.env.DESKHAND_RECORDS ?? 0);
const long = records >= 500_000; // a task takes long enough to be stopped

test.skip(!url, 'a long history is the real journal’s');
test.use({ baseURL: url });

const list = (page: Page) => page.getByRole('grid', { name: 'Records' });
const rows = (page: Page) => list(page).getByRole('row');
const said = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text });
const numbersIn = (text: string | null) => (text?.match(/\d[\d,]*/g) ?? []).map((n) => Number(n.replaceAll(',', '')));
const numberIn = (text: string | null) => numbersIn(text)[0] ?? Number.NaN;

async function openAudit(page: Page): Promise<void> {
  await openPage(page, 'Audit');
  await expect(rows(page).first()).toBeVisible();
}

/** Chooses an option of a filter by its words, and returns the number of records shown beside it. */
async function choose(page: Page, filter: string, choice: RegExp): Promise<number> {
  await page.getByRole('combobox', { name: filter }).click();
  const option = page.getByRole('option', { name: choice }).first();
  const counted = (await option.textContent())?.split(' · ').at(-1) ?? '';
  await option.click();
  return numberIn(counted);
}

test('scrolling fast and far shows rows in every frame, and holds few of them', { tag: '@long' }, async ({ desk }) => {
  await openAudit(desk);
  await expect(said(desk, 'navigation not shown')).toBeVisible();
  expect(numberIn(await said(desk, 'navigation not shown').textContent())).toBeGreaterThanOrEqual(records);

  await list(desk).hover();
  const wheel = async (by: number, times: number) => {
    for (let i = 0; i < times; i += 1) await desk.mouse.wheel(0, by);
  };
  const down = await frameByFrame(desk, 'records', async () => {
    await wheel(1500, 60);
    await expect.poll(() => list(desk).evaluate((element) => element.scrollTop)).toBeGreaterThan(5_000);
  });
  expect(down, 'down').toMatchObject({ blank: 0, waiting: 0 });

  const toEnd = await frameByFrame(desk, 'records', async () => {
    await list(desk).focus();
    for (const target of [2_000, 4_000]) {
      await expect
        .poll(
          async () => {
            await desk.keyboard.press('End');
            return Number(await rows(desk).last().getAttribute('aria-rowindex'));
          },
          { intervals: [50] },
        )
        .toBeGreaterThan(target);
    }
  });
  expect(toEnd, 'to the end').toMatchObject({ blank: 0, waiting: 0 });
  expect(await rows(desk).count()).toBeLessThan(80);

  const back = await frameByFrame(desk, 'records', async () => {
    await wheel(-1500, 60);
    await desk.keyboard.press('Home');
    await expect.poll(() => list(desk).evaluate((element) => element.scrollTop)).toBe(0);
  });
  expect(back, 'back').toMatchObject({ blank: 0, waiting: 0 });
});

test('each facet finds what it counts, and what is left is said when a search ends for now', { tag: '@long' }, async ({
  desk,
}) => {
  await openAudit(desk);
  for (const [filter, choice] of [
    ['Caller', /^Command line ·/],
    ['Action', /^Add to the cart ·/],
    ['Outcome', /^Not possible ·/],
    ['Risk', /^Cannot be taken back ·/],
    ['Person', /^June Park ·/],
  ] as const) {
    const counted = await choose(desk, filter, choice);
    await expect(said(desk, /^[\d,]+ records/)).toContainText(counted.toLocaleString('en'));
    await expect(rows(desk).first()).toBeVisible();
    await choose(desk, filter, choice); // once more takes it away
  }

  await desk.getByRole('combobox', { name: 'Conversation' }).click();
  await desk
    .getByRole('option', { name: /^Chat, last used/ })
    .first()
    .click();
  await expect(rows(desk).first()).toContainText('Assistant');
  await desk.locator('[aria-label="Any chat"]').first().click();

  if (!long) return;
  // Very many records have the word, very many are by this caller, none are both: the search takes several passes.
  await choose(desk, 'Caller', /^Command line ·/);
  await desk.getByRole('searchbox').fill('named ');
  const searched = said(desk, /^Searched back to/);
  await expect(searched).toBeVisible();
  await look(desk, 'audit-searched-back');
  const before = await searched.textContent();
  await desk.getByRole('button', { name: 'Go on' }).click();
  await expect(searched.filter({ hasText: before ?? '' })).toHaveCount(0);
});

test('days narrow the list', { tag: '@long' }, async ({ desk }) => {
  await openAudit(desk);
  const all = numberIn(await said(desk, 'records').first().textContent());
  await desk.getByRole('button', { name: 'Days' }).click();
  const days = desk.getByRole('table').getByRole('button', { disabled: false });
  await expect(days.first()).toBeVisible();
  await look(desk, 'audit-days');
  await desk.getByRole('button', { name: 'Previous month' }).click();
  await days.nth(8).click();
  await days.nth(9).click();
  await desk.keyboard.press('Escape');
  await expect
    .poll(async () =>
      numberIn(
        await said(desk, /record/)
          .first()
          .textContent(),
      ),
    )
    .toBeLessThan(all);
});

test('words lead to a record, its diff and its trace, and back to the same place', { tag: '@long' }, async ({
  desk,
}) => {
  await openAudit(desk);
  await desk.keyboard.press('/');
  await typeText(desk, 'omar submit');
  await expect(
    rows(desk)
      .filter({ has: desk.locator('mark', { hasText: 'Submit' }) })
      .first(),
  ).toBeVisible();
  await desk.keyboard.press('ArrowDown');
  await expect(list(desk)).toBeFocused();
  const submitted = rows(desk)
    .filter({ hasText: /Submit order for Omar/ })
    .first();
  for (let i = 0; i < 40 && (await submitted.getAttribute('aria-selected')) !== 'true'; i += 1) {
    await desk.keyboard.press('ArrowDown');
  }
  const opened = await submitted.getAttribute('aria-rowindex');
  await desk.keyboard.press('Enter');
  const step = desk.locator('[aria-current=step]');
  await expect(step).toContainText('Submit order for Omar');
  await expect(step.getByText('What it changed')).toBeVisible();
  await expect(step.locator('del').first()).toBeVisible();
  await expect(desk.locator('blockquote')).toContainText('submit the order');
  await look(desk, 'audit-long-trace');
  await desk.keyboard.press('Escape');
  await expect(list(desk)).toBeFocused();
  await expect(list(desk).locator('[aria-selected=true]')).toHaveAttribute('aria-rowindex', opened ?? '');
});

test('what is done now is first among all, and is undone', { tag: '@long' }, async ({ desk }) => {
  await desk.keyboard.press('F3');
  await desk.getByRole('combobox', { name: 'Search customers' }).fill('Ana Ruiz');
  await desk.keyboard.press('Enter');
  await putGuji(desk);
  await openAudit(desk);
  await rows(desk).filter({ hasText: 'Guji' }).first().click();
  await desk.getByRole('main').getByRole('button', { name: 'Undo' }).click();
  await expect(desk.getByRole('alert').filter({ hasText: 'Undone' })).toContainText('Guji');
});

test('all of it is verified and exported, with progress, and both can be stopped', { tag: '@long' }, async ({
  desk,
}) => {
  if (long) test.setTimeout(900_000);
  await openAudit(desk);
  const verify = desk.getByRole('button', { name: 'Verify' });
  if (long) {
    await verify.click();
    await expect(said(desk, /^Checking every record: [1-9]\d? %/)).toBeVisible();
    await desk.getByRole('button', { name: 'Stop' }).click();
    await expect(said(desk, 'Stopped: not every record was checked.')).toBeVisible();
    await look(desk, 'audit-verify-stopped');
    await desk.getByRole('button', { name: 'Dismiss' }).click();
  }
  await verify.click();
  const verdict = said(desk, 'as they were written');
  await expect(verdict).toBeVisible({ timeout: 300_000 });
  expect(numberIn(await verdict.textContent())).toBeGreaterThanOrEqual(records);
  await desk.getByRole('button', { name: 'Dismiss' }).click();

  const found = said(desk, 'of navigation not shown');
  await expect(found).toBeVisible();
  const [all = 0, hidden = 0] = numbersIn(await found.textContent());
  for (const [item, ending] of [
    ['JSON lines', 'jsonl'],
    ['CSV, for a spreadsheet', 'csv'],
  ] as const) {
    await desk.getByRole('button', { name: 'Export' }).click();
    await desk.getByRole('menuitem', { name: item }).click();
    if (long && ending === 'csv') {
      await expect(said(desk, /^Writing the file: [1-9]\d? %/)).toBeVisible();
      await desk.getByRole('button', { name: 'Stop' }).click();
      await expect(said(desk, 'Stopped: no file was written.')).toBeVisible();
    } else {
      const written = said(desk, `.${ending}`);
      await expect(written).toBeVisible({ timeout: 300_000 });
      const inFile = numberIn(await written.textContent());
      expect(inFile, 'the file has what the list has').toBeGreaterThanOrEqual(all - hidden);
      expect(inFile, 'and nothing that it hides').toBeLessThan(all);
    }
    await desk.getByRole('button', { name: 'Dismiss' }).click();
  }
});
