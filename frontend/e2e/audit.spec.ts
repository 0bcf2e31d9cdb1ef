import { expect, type Page } from '@playwright/test';
import { chooseCustomer, emptyCart, openPage, putGuji, real, scrolled, test, typeText } from './desk';
import { look } from './look';

test.skip(!real, 'counts, undo, export and statistics are the real journal’s');
const records = (page: Page) => page.getByRole('grid', { name: 'Records' }).getByRole('row');

/** Leaves records of a cart with the Guji in it, and opens the audit. */
async function haveRecords(desk: Page): Promise<void> {
  await chooseCustomer(desk, 'Ana Ruiz');
  await emptyCart(desk);
  await putGuji(desk);
  await openPage(desk, 'Audit');
  await expect(records(desk).first()).toBeVisible();
}

test('records are found by words and by facets with counts', async ({ desk }) => {
  await haveRecords(desk);
  await expect(desk.getByRole('search').getByRole('combobox', { name: 'Action' })).toBeVisible();
  await desk.keyboard.press('/');
  const words = desk.getByRole('searchbox', { name: 'Search the records' });
  await expect(words).toBeFocused();
  await typeText(desk, 'guj');
  await expect(records(desk).first().locator('mark').first()).toHaveText(/guji/i);

  await desk.getByRole('combobox', { name: 'Caller' }).click();
  const option = desk.getByRole('option', { name: /^Window · \d/ });
  const counted = Number((await option.textContent())?.replace(/\D/g, ''));
  await option.click();
  await expect(desk.getByRole('status').filter({ hasText: /record/ })).toContainText(`${counted} record`);
  await look(desk, 'audit-found');

  await words.fill('zzzznothing');
  await expect(desk.getByText('Nothing recorded here')).toBeVisible();
  await look(desk, 'audit-empty');
  await desk.getByRole('button', { name: 'Take the filters away' }).click();
  await expect(words).toHaveValue('');
  await expect(records(desk).first()).toBeVisible();
});

test('what was done about a record is found by its name, which opens its page', { tag: '@long' }, async ({ desk }) => {
  await haveRecords(desk);
  const about = desk.getByRole('combobox', { name: 'Record it is about' });
  await about.fill('ana ru');
  await expect(desk.getByRole('option', { name: /^Ana Ruiz/ })).toBeVisible();
  await desk.getByRole('option', { name: /^Ana Ruiz/ }).click();
  await expect(about).toHaveValue('Ana Ruiz');
  await look(desk, 'audit-record');
  await records(desk).filter({ hasText: 'Choose the customer' }).first().click();
  const step = desk.locator('[aria-current=step]');
  await expect(step).toContainText('Ana Ruiz');
  await look(desk, 'audit-names');
  await step.getByRole('button', { name: 'Ana Ruiz' }).first().click();
  await expect(desk.getByRole('heading', { name: 'Ana Ruiz' })).toBeVisible();
});

test('what was done is undone from its trace, once, and a conflict is told in words', async ({ desk }) => {
  await haveRecords(desk);
  const added = records(desk).filter({ hasText: 'Guji' }).first();
  await added.click();
  const undo = desk.getByRole('main').getByRole('button', { name: 'Undo' });
  await undo.click();
  const told = desk.getByRole('alert').filter({ hasText: 'Undone' });
  await expect(told).toContainText('Guji');
  await expect(undo).toHaveCount(1); // of the undo itself: the undone record offers none any more
  await told.hover(); // a notice that is pointed at stays
  await look(desk, 'audit-undone');
  await told.getByRole('button', { name: 'Show what was recorded' }).click();
  await expect(desk.locator('[aria-current=step]')).toContainText('Undo');

  await openPage(desk, 'Counter');
  await expect(desk.getByRole('region', { name: 'Cart' })).toContainText('The cart is empty');
  await putGuji(desk);
  await putGuji(desk);
  await openPage(desk, 'Audit');
  await records(desk).filter({ hasText: 'Guji' }).nth(1).click();
  await desk.getByRole('main').getByRole('button', { name: 'Undo' }).first().click();
  const refused = desk.getByRole('alert').filter({ hasText: 'Changed again since' });
  await expect(refused).toContainText('was not undone');
  await look(desk, 'audit-conflict');
});

test('the records that are found are exported', { tag: '@long' }, async ({ desk }) => {
  await haveRecords(desk);
  await desk.getByRole('combobox', { name: 'Action' }).click();
  const action = desk.getByRole('option', { name: /^Add to the cart · \d/ });
  const found = Number((await action.textContent())?.replace(/\D/g, ''));
  await action.click();
  for (const [item, ending] of [
    ['JSON lines', 'jsonl'],
    ['CSV, for a spreadsheet', 'csv'],
  ]) {
    await desk.getByRole('button', { name: 'Export' }).click();
    await desk.getByRole('menuitem', { name: item }).click();
    const written = desk.getByRole('status').filter({ hasText: `.${ending}` });
    await expect(written).toContainText(`${found} record`);
    await expect(written).toContainText('exports');
  }
  await look(desk, 'audit-export');
  await desk.getByRole('button', { name: 'Dismiss' }).click();
  await expect(desk.getByText('.csv')).toHaveCount(0);
});

test('the report tells how often, how well and how trusted', { tag: '@long' }, async ({ desk }) => {
  await haveRecords(desk);
  await desk.keyboard.press('Control+J');
  await desk.getByRole('textbox', { name: 'Message to the assistant' }).fill('Submit my order to my home address.');
  await desk.keyboard.press('Enter');
  await desk
    .getByRole('article', { name: /Ana Ruiz/ })
    .getByRole('button', { name: 'Deny' })
    .click();
  await desk.keyboard.press('Control+J');

  await desk.getByRole('tab', { name: 'Report' }).click();
  const report = desk.getByRole('region', { name: 'Report' });
  await expect(report.getByRole('row', { name: /^Add to the cart Window \d/ })).toBeVisible();
  await expect(report.getByRole('list', { name: 'Answers' })).toContainText(/Declined[1-9]/);
  await look(desk, 'audit-report');
  await report.getByRole('radiogroup', { name: 'Days' }).getByText('All').click();
  await expect(report.getByRole('row', { name: /Set up the shop Command line 1/ })).toBeVisible();
  await desk.getByRole('tab', { name: 'Records' }).click();
  await expect(records(desk).first()).toBeVisible();
});

test('what comes while somebody reads further down waits, and at the top it is shown', { tag: '@long' }, async ({
  desk,
}) => {
  for (let i = 0; i < 12; i += 1) {
    await openPage(desk, 'Orders');
    await openPage(desk, 'Audit');
  }
  await desk.getByRole('checkbox', { name: 'Show navigation' }).check();
  await expect(records(desk).first()).toContainText('Open a page');
  const toggle = desk.getByRole('button', { name: /light and dark/i });
  await toggle.click();
  await expect(records(desk).first(), 'at the top').toContainText('Switch light and dark');

  const list = desk.getByRole('grid', { name: 'Records' });
  await list.hover();
  await desk.mouse.wheel(0, 300);
  const before = await scrolled(list, 100);
  await toggle.click();
  const chip = desk.getByRole('button', { name: '1 new record' });
  await expect(chip).toBeVisible();
  expect(await list.evaluate((element) => element.scrollTop)).toBe(before);
  await look(desk, 'audit-news');
  await chip.click();
  await expect(chip).toHaveCount(0);
  await expect(records(desk).first()).toContainText('Switch light and dark');
  expect(await list.evaluate((element) => element.scrollTop)).toBe(0);
});

test('filters are saved, chosen again and deleted', { tag: '@long' }, async ({ desk }) => {
  await haveRecords(desk);
  const saved = desk.getByRole('button', { name: 'Saved filters' });
  await saved.click();
  await expect(desk.getByText('None yet.')).toBeVisible();
  await desk.keyboard.press('Escape');

  await desk.getByRole('combobox', { name: 'Caller' }).click();
  await desk.getByRole('option', { name: /^Window · \d/ }).click();
  await desk.getByRole('searchbox', { name: 'Search the records' }).fill('guji ');
  await saved.click();
  await desk.getByRole('textbox', { name: 'Save these filters as' }).fill('The Guji by hand');
  await desk.keyboard.press('Enter');
  const filters = desk.getByRole('list', { name: 'Saved filters' });
  await expect(filters.getByRole('button', { name: 'The Guji by hand', exact: true })).toBeVisible();
  await look(desk, 'audit-saved-filters');
  await desk.keyboard.press('Escape');

  await desk.getByRole('searchbox', { name: 'Search the records' }).fill('zzzznothing');
  await desk.getByRole('button', { name: 'Take the filters away' }).click();
  await saved.click();
  await filters.getByRole('button', { name: 'The Guji by hand', exact: true }).click();
  await expect(desk.getByRole('searchbox', { name: 'Search the records' })).toHaveValue('guji');
  await expect(desk.getByRole('combobox', { name: 'Caller' })).toHaveValue(/^Window/);
  await saved.click();
  await filters.getByRole('button', { name: 'Delete The Guji by hand' }).click();
  await expect(filters).toHaveCount(0);
});

test('a list that is only looked at asks for nothing', { tag: '@long' }, async ({ desk }) => {
  await haveRecords(desk);
  await desk.getByRole('checkbox', { name: 'Show navigation' }).check();
  await expect(records(desk).first(), 'the newest is one that is not shown otherwise').toContainText('Open a page');
  await desk.getByRole('checkbox', { name: 'Show navigation' }).uncheck();
  await expect(records(desk).first()).toContainText('Add to the cart');
  const quiet = async () => {
    const asked = await invocations(desk);
    await desk.waitForTimeout(1000);
    return (await invocations(desk)) - asked;
  };
  await expect.poll(quiet).toBe(0);
});

/** The number of calls the page has made to the application since this was first asked. */
async function invocations(page: Page): Promise<number> {
  return page.evaluate(() => {
    const bound = window as unknown as { asked?: number; go: { main: { App: { Invoke: (json: string) => unknown } } } };
    const { App } = bound.go.main;
    if (bound.asked === undefined) {
      bound.asked = 0;
      const invoke = App.Invoke;
      App.Invoke = (json) => {
        bound.asked = (bound.asked ?? 0) + 1;
        return invoke(json);
      };
    }
    return bound.asked;
  });
}

test('what is seldom done with the log is in its menu, and opens a form', { tag: '@long' }, async ({ desk }) => {
  await openPage(desk, 'Audit');
  await desk.getByRole('button', { name: 'More', exact: true }).click();
  await expect(desk.getByRole('menuitem')).toHaveCount(3);
  await look(desk, 'audit-more');
  await desk.keyboard.press('Escape');
  await desk.getByRole('button', { name: 'More', exact: true }).click();
  await desk.getByRole('menuitem', { name: /^Rebuild the statistics/ }).click();
  const form = desk.getByRole('dialog').locator('form');
  await form.getByRole('button').last().click();
  await expect(desk.getByRole('dialog').getByText('Done', { exact: true })).toBeVisible();
});
