import { expect, type Page } from '@playwright/test';
import { invoke, placeOrder } from './bridge';
import { openPage, test, typeText } from './desk';
import { look } from './look';

const chip = (desk: Page, name: string) =>
  desk.getByRole('list', { name: 'Views' }).getByRole('button', { name, exact: true });

/** Saves what the list shows under a name. */
async function save(desk: Page, name: string): Promise<void> {
  await desk.getByRole('button', { name: 'Save this view' }).click();
  await expect(desk.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await typeText(desk, name);
  await desk.keyboard.press('Enter');
  await expect(chip(desk, name)).toHaveAttribute('aria-pressed', 'true');
}

test('a list is saved as a view: found above it and by Ctrl+K, renamed, deleted and back', { tag: '@long' }, async ({
  desk,
}) => {
  await openPage(desk, 'Orders');
  const rows = desk.getByRole('grid', { name: 'Orders' }).getByRole('row');
  await expect(rows.first()).toBeVisible();
  const newest = (await rows.first().textContent()) ?? '';
  await desk.getByText('Delivered', { exact: true }).first().click();
  await desk.keyboard.press('/');
  await typeText(desk, 'guji');
  await expect(rows.first()).toContainText('Guji');
  const found = (await rows.first().textContent()) ?? '';
  await save(desk, 'Delivered Guji');
  await chip(desk, 'Delivered Guji').click();
  await expect(desk.getByRole('searchbox')).toHaveValue('');
  await expect(rows.first()).toHaveText(newest);
  await expect(chip(desk, 'Delivered Guji')).toHaveAttribute('aria-pressed', 'false');
  await look(desk, 'orders-views');

  await openPage(desk, 'Reports');
  await desk.keyboard.press('Control+k');
  await typeText(desk, 'deliverd gu'); // a letter is missing
  await expect(desk.getByRole('option', { selected: true })).toContainText('Delivered Guji');
  await look(desk, 'palette-views');
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible();
  await expect(desk.getByRole('searchbox')).toHaveValue('guji');
  await expect(rows.first()).toHaveText(found);

  await desk.getByRole('button', { name: 'More of Delivered Guji' }).click();
  await desk.getByRole('menuitem', { name: 'Rename…' }).click();
  await expect(desk.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await desk.keyboard.press('Control+a');
  await typeText(desk, 'Guji, done');
  await desk.keyboard.press('Enter');
  await expect(chip(desk, 'Guji, done')).toHaveAttribute('aria-pressed', 'true');
  await desk.getByRole('button', { name: 'More of Guji, done' }).click();
  await desk.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(desk.getByRole('list', { name: 'Views' })).toHaveCount(0);
  await desk.getByRole('button', { name: 'Undo' }).first().click();
  await expect(chip(desk, 'Guji, done')).toBeVisible();

  const { views } = await invoke<{ views: { id: string; values: object }[] }>(desk, 'view.list', {});
  expect(views.map(({ values }) => values)).toEqual([{ status: 'delivered', query: 'guji' }]);
  for (const { id: viewId } of views) await invoke(desk, 'view.remove', { viewId });
});

test('every list keeps views of its own', { tag: '@long' }, async ({ desk }) => {
  for (const [page, words, name] of [
    ['Customers', 'ana', 'Everybody called Ana'],
    ['Catalog', 'guji', 'All of the Guji'],
  ] as const) {
    await openPage(desk, page);
    await desk.keyboard.press('/');
    await typeText(desk, words);
    await save(desk, name);
    await expect(desk.getByRole('list', { name: 'Views' }).getByRole('listitem')).toHaveCount(1);
  }
  await openPage(desk, 'Customers');
  await expect(chip(desk, 'Everybody called Ana'), 'as it was left').toHaveAttribute('aria-pressed', 'true');
  await openPage(desk, 'Orders');
  await expect(desk.getByRole('list', { name: 'Views' })).toHaveCount(0);
  const { views } = await invoke<{ views: { id: string }[] }>(desk, 'view.list', {});
  for (const { id: viewId } of views) await invoke(desk, 'view.remove', { viewId });
});

test('lists are narrowed to a period and sorted beside their search, and views keep both', { tag: '@long' }, async ({
  desk,
}) => {
  const id = await placeOrder(desk);
  await openPage(desk, 'Orders');
  const rows = desk.getByRole('grid', { name: 'Orders' }).getByRole('row');
  const choose = async (label: string, option: string) => {
    await desk.getByRole('combobox', { name: label }).click();
    await desk.getByRole('option', { name: option, exact: true }).click();
  };
  await choose('Period', 'Today');
  await expect(rows.first()).toContainText(id);
  await expect(desk.getByRole('grid', { name: 'Orders' })).not.toContainText('Nov 24');
  await choose('Sorting', 'Oldest');
  const endsWithIt = async () => {
    await desk.getByRole('grid', { name: 'Orders' }).focus();
    await expect(async () => {
      await desk.keyboard.press('End'); // the end of what is read: the next rows are read then
      await expect(rows.last()).toContainText(id, { timeout: 500 });
    }).toPass();
  };
  await endsWithIt();
  await save(desk, 'The day so far');
  await look(desk, 'orders-period');
  await choose('Period', 'Last month');
  await expect(desk.getByRole('grid', { name: 'Orders' })).not.toContainText(id);
  await expect(chip(desk, 'The day so far')).toHaveAttribute('aria-pressed', 'false');
  await chip(desk, 'The day so far').click();
  await endsWithIt();
  await expect(desk.getByRole('combobox', { name: 'Period' })).toHaveValue('Today');
  await desk.getByRole('button', { name: 'Export', exact: true }).click();
  await desk.getByRole('menuitem', { name: /^CSV/ }).click();
  await expect(desk.getByRole('status').filter({ hasText: 'written to' })).toContainText('.csv');

  await openPage(desk, 'Catalog');
  await choose('Sorting', 'Cheapest');
  await expect(desk.getByRole('grid', { name: 'Catalog' }).getByRole('row').first()).toContainText(
    /\$\d\.\d\d|\$1\d\./,
  );
  const { views } = await invoke<{ views: { id: string; values: object }[] }>(desk, 'view.list', {});
  expect(views.map(({ values }) => values)).toEqual([{ period: 'today', sort: 'oldest' }]);
  for (const { id: viewId } of views) await invoke(desk, 'view.remove', { viewId });
});
