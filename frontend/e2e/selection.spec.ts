import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { invoke, placeOrder } from './bridge';
import { openPage, tabTo, test, typeText } from './desk';
import { look } from './look';

const list = (desk: Page, name: string) => desk.getByRole('grid', { name });
const selected = (desk: Page, name: string) => list(desk, name).getByRole('row', { selected: true });
const bar = (desk: Page) => desk.getByRole('region', { name: 'Selected' });

/** The lines of the file that the page says it wrote. */
async function written(desk: Page, ending: string): Promise<string[]> {
  const told = desk.getByRole('status').filter({ hasText: ending });
  await expect(told).toContainText('written to');
  const file = (await told.locator('code').textContent()) ?? '';
  return readFileSync(file, 'utf8').trim().split(/\r?\n/);
}

test('several orders by keyboard: exported, and their receipts written', { tag: '@long' }, async ({ desk }) => {
  const ids = [await placeOrder(desk), await placeOrder(desk), await placeOrder(desk)].reverse(); // newest first
  await openPage(desk, 'Orders');
  await expect(list(desk, 'Orders')).toHaveAttribute('aria-multiselectable', 'true');
  await desk.keyboard.press('/');
  await desk.keyboard.press('ArrowDown');
  await expect(list(desk, 'Orders')).toBeFocused();
  await expect(selected(desk, 'Orders'), 'the marked row is not selected').toHaveCount(0);
  await desk.keyboard.press('Space');
  await desk.keyboard.press('ArrowDown');
  await desk.keyboard.press('Space');
  await expect(selected(desk, 'Orders')).toHaveCount(2);
  await desk.keyboard.press('Space');
  await desk.keyboard.press('ArrowUp');
  await desk.keyboard.press('Shift+ArrowDown');
  await desk.keyboard.press('Shift+ArrowDown');
  await desk.keyboard.press('Shift+ArrowUp');
  await expect(selected(desk, 'Orders')).toHaveText([new RegExp(ids[0] ?? ''), new RegExp(ids[1] ?? '')]);
  await expect(bar(desk)).toContainText('2 selected');
  await look(desk, 'orders-selected');

  await tabTo(desk, bar(desk).getByRole('button', { name: 'Export selected' }));
  await desk.keyboard.press('Enter');
  await desk.getByRole('menuitem', { name: /^CSV/ }).press('Enter');
  const rows = await written(desk, '.csv');
  expect(rows.slice(1).map((row) => row.split(',')[0])).toEqual(ids.slice(0, 2).reverse());

  await tabTo(desk, bar(desk).getByRole('button', { name: 'Receipts' }));
  await desk.keyboard.press('Enter');
  await desk.getByRole('menuitem', { name: /^CSV/ }).press('Enter');
  const receipts = await written(desk, 'receipts-');
  expect([...new Set(receipts.slice(1).map((row) => row.split(',')[0]))]).toEqual(ids.slice(0, 2));

  await openPage(desk, 'Counter');
  await openPage(desk, 'Orders');
  await expect(selected(desk, 'Orders'), 'another page takes nothing away').toHaveCount(2);
  await list(desk, 'Orders').focus();
  await desk.keyboard.press('Escape');
  await expect(bar(desk)).toBeHidden();
  await desk.keyboard.press('Control+a');
  await expect(bar(desk)).toContainText(/\d+ selected/);
  await desk.keyboard.press('Escape');
});

test('receipts of several orders are opened to be printed', { tag: '@long' }, async ({ desk }) => {
  await placeOrder(desk);
  await placeOrder(desk);
  await openPage(desk, 'Orders');
  const boxes = list(desk, 'Orders').getByRole('checkbox');
  await boxes.nth(0).click();
  await boxes.nth(1).click({ modifiers: ['Shift'] });
  await bar(desk).getByRole('button', { name: 'Receipts' }).click();
  await desk.getByRole('menuitem', { name: 'Print', exact: true }).click();
  await expect(desk.getByRole('status').filter({ hasText: 'The receipts are written to' })).toContainText('.pdf');
  const opened = async () => {
    const asked = { capability: 'document.open', limit: 1 };
    return (await invoke<{ records: { status: string }[] }>(desk, 'audit.search', asked)).records;
  };
  await expect.poll(opened).toMatchObject([{ status: 'success' }]);
  await bar(desk).getByRole('button', { name: 'Select none' }).click();
});

for (const [page, search, what, column] of [
  ['Customers', 'ana', 'customer', 'Id'],
  ['Catalog', 'guji', 'product', 'Product'],
] as const) {
  test(`several of ${page} by mouse: the search changes, and what is selected stays`, { tag: '@long' }, async ({
    desk,
  }) => {
    await openPage(desk, page);
    const rows = list(desk, page).getByRole('row');
    await rows.nth(1).getByRole('checkbox').click();
    await rows.nth(3).click({ modifiers: ['Shift'] });
    await expect(selected(desk, page)).toHaveCount(3);
    await rows.nth(2).click({ modifiers: ['Control'] });
    await expect(selected(desk, page)).toHaveCount(2);
    const names = await selected(desk, page).getByRole('gridcell').nth(1).allTextContents();
    await desk.keyboard.press('/');
    await typeText(desk, search);
    await expect(bar(desk)).toContainText('2 selected');
    await look(desk, what === 'customer' ? 'customers-selected' : 'catalog-selected');
    await bar(desk).getByRole('button', { name: 'Export selected' }).click();
    await desk.getByRole('menuitem', { name: /^CSV/ }).click();
    const lines = await written(desk, '.csv');
    const at = lines[0]?.split(',').indexOf(column) ?? -1;
    expect(new Set(lines.slice(1).map((line) => line.split(',')[at])).size, names.join()).toBe(2);
    await desk.getByRole('checkbox', { name: 'Select all that are loaded' }).check();
    await expect(list(desk, page).getByRole('row', { selected: false })).toHaveCount(0);
    await bar(desk).getByRole('button', { name: 'Select none' }).click();
    await desk.getByRole('searchbox').fill('');
  });
}

test('with fingers: the box is as large as a finger, a tap beside it opens', { tag: '@long' }, async ({ desk }) => {
  await placeOrder(desk);
  await invoke(desk, 'density.set', { density: 'touch' });
  await expect(desk.locator('html')).toHaveAttribute('data-density', 'touch');
  await openPage(desk, 'Orders');
  const first = list(desk, 'Orders').getByRole('row').first();
  const cell = first.getByRole('gridcell').first();
  const { x, y, width, height } = (await cell.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
  await desk.mouse.click(x + width - 3, y + height - 3); // the corner of the cell, not the box
  await expect(first).toHaveAttribute('aria-selected', 'true');
  await look(desk, 'orders-selected-touch');
  await desk.mouse.click(x + width - 3, y + height - 3);
  await expect(bar(desk)).toBeHidden();
  await first.getByRole('gridcell').nth(1).click();
  await expect(desk.getByRole('heading', { level: 1, name: /^Order/ })).toBeVisible();
  await invoke(desk, 'density.set', { density: 'system' });
});
