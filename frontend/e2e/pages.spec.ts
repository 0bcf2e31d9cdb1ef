import { expect } from '@playwright/test';
import { expectAccessible } from './axe';
import { invoke } from './bridge';
import { chooseCustomer, emptyCart, impossible, openPage, putGuji, real, scrolled, test, typeText } from './desk';
import { look } from './look';

test('every page can be used by everybody', async ({ desk }) => {
  await chooseCustomer(desk, 'Ana Ruiz');
  await emptyCart(desk);
  await putGuji(desk);
  await look(desk, 'counter');

  await openPage(desk, 'Orders');
  const orders = desk.getByRole('grid', { name: 'Orders' });
  await expect(orders.getByRole('row').first()).toBeVisible();
  await look(desk, 'orders');

  await orders.getByRole('row').first().click();
  await expect(desk.getByRole('region', { name: 'Lines' })).toBeVisible();
  await look(desk, 'order');

  await openPage(desk, 'Audit');
  const records = desk.getByRole('grid', { name: 'Records' });
  await expect(records.getByRole('row').first()).toBeVisible();
  await desk.getByRole('button', { name: 'Verify' }).click();
  await expect(desk.getByRole('status').filter({ hasText: 'as they were written' })).toBeVisible();
  await look(desk, 'audit');

  await records.getByRole('row').first().click();
  await expect(desk.getByRole('region', { name: 'Steps' })).toBeVisible();
  await look(desk, 'trace');

  await desk.keyboard.press('Control+J');
  await expect(desk.getByRole('region', { name: 'Conversation' })).toBeVisible();
  await look(desk, 'chat');

  await desk.keyboard.press('Control+K');
  await expect(desk.getByRole('combobox', { name: 'Find pages, records, settings, actions' })).toBeFocused();
  await look(desk, 'palette');
  await typeText(desk, 'cart.addItem');
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('dialog').getByRole('combobox').first()).toBeVisible();
  await look(desk, 'form');
});

test('an action that is not possible says why', { tag: '@long' }, async ({ desk }) => {
  await chooseCustomer(desk, 'Ana Ruiz');
  await emptyCart(desk);
  const hold = desk.getByRole('button', { name: /^Hold/ });
  await expect(hold).toHaveAttribute('aria-disabled', 'true');
  await expect(hold).toHaveAccessibleDescription(/empty/i);
  const said = desk.getByRole('tooltip', { name: /empty/i });
  await expect(said).toHaveCount(0);
  await hold.hover();
  await expect(said).toBeVisible();
  await expectAccessible(desk, 'hint');
  await desk.mouse.move(0, 0);
  await expect(said).toHaveCount(0);

  await desk.getByRole('button', { name: /^Change customer/ }).focus();
  const reached = desk.locator('button:focus');
  while (!/^Hold/.test((await reached.textContent()) ?? '')) await desk.keyboard.press('Tab');
  await expect(said).toBeVisible();
  await desk.keyboard.press('Escape');
  await expect(said).toHaveCount(0);

  await openPage(desk, 'Orders');
  await desk.getByRole('radiogroup', { name: 'Status' }).getByText('Delivered').click();
  await desk
    .getByRole('grid', { name: 'Orders' })
    .getByRole('row', { name: /Delivered/ })
    .first()
    .click();
  await expect((await impossible(desk)).getByRole('listitem').filter({ hasText: /^Cancel/ })).toContainText('pending');
});

test('a confirmation can be used by everybody', { tag: '@long' }, async ({ desk }) => {
  await chooseCustomer(desk, 'Ana Ruiz');
  await emptyCart(desk);
  await putGuji(desk);
  await desk.keyboard.press('Control+J');
  await desk.getByRole('textbox', { name: 'Message to the assistant' }).fill('Submit my order to my home address.');
  await desk.keyboard.press('Enter');
  const card = desk.getByRole('article', { name: /Ana Ruiz/ });
  await expect(card.getByRole('button', { name: 'Deny' })).toBeFocused();
  await expect(card).not.toContainText(/\b(fold|mara_lindqvist|pm_\w+|adr_\w+)\b/);
  await look(desk, 'card');
  await card.getByRole('button', { name: 'Deny' }).click();
  await expect(card).toHaveCount(0);
});

test('orders are found by street and SKU, and narrowed and sorted as the application declares', {
  tag: '@long',
}, async ({ desk }) => {
  test.skip(!real, 'the real shop finds them');
  await openPage(desk, 'Orders');
  const rows = desk.getByRole('grid', { name: 'Orders' }).getByRole('row');
  const search = desk.getByRole('searchbox', { name: 'Search orders' });
  for (const words of ['123 main', 'NL-GUJ-250-WB']) {
    await search.fill(`ruiz ${words}`);
    await expect(rows.first()).toContainText('Ana Ruiz');
  }
  await search.fill('');
  await desk.getByRole('button', { name: 'Filters' }).click();
  const dialog = desk.getByRole('dialog', { name: 'Filters' });
  await dialog.getByRole('combobox', { name: 'Handed over' }).click();
  await desk.getByRole('option', { name: 'Deliver' }).click();
  await look(desk, 'orders-filters');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(desk.getByRole('button', { name: 'Filters (1)' })).toBeFocused();
  await desk.getByRole('combobox', { name: 'Sorting' }).click();
  await desk.getByRole('option', { name: 'Highest' }).click();
  const totals = async () =>
    (await rows.allTextContents()).slice(0, 5).map((text) => Number(text.match(/\$([\d.,]+)$/)?.[1]?.replace(',', '')));
  await expect
    .poll(async () => (await totals()).every((total, at, all) => at === 0 || total <= (all[at - 1] ?? 0)))
    .toBe(true);
  await desk.getByRole('button', { name: 'Filters (1)' }).click();
  await dialog.getByRole('button', { name: 'Clear' }).click();
  await expect(desk.getByRole('button', { name: 'Filters', exact: true })).toBeVisible();
  await expect(desk.getByRole('combobox', { name: 'Sorting' }), 'it is no filter').toHaveValue('Highest');
});

test('the filter of the orders is kept', { tag: '@long' }, async ({ desk }) => {
  await openPage(desk, 'Orders');
  const delivered = desk.getByRole('radiogroup', { name: 'Status' }).getByRole('radio', { name: 'Delivered' });
  await desk.getByRole('radiogroup', { name: 'Status' }).getByText('Delivered').click();
  await desk
    .getByRole('row', { name: /Delivered/ })
    .first()
    .click();
  await desk.getByRole('button', { name: 'All orders' }).click();
  await expect(delivered).toBeChecked();
});

test('a refund is named and negative, and nothing cancelled is on its way', { tag: '@long' }, async ({ desk }) => {
  await openPage(desk, 'Orders');
  await desk
    .getByRole('row', { name: /Pending/ })
    .first()
    .click();
  const order = desk.getByRole('region', { name: 'Order' });
  await expect(order).toContainText('Estimated');
  await desk.getByRole('button', { name: /^Cancel order/ }).click();
  const dialog = desk.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Reason' }).click();
  await desk.getByRole('option', { name: 'Other' }).click();
  await dialog.getByRole('button', { name: /record the refund/ }).click();
  await expect(dialog).toHaveCount(0);
  await expect(order.getByRole('row', { name: /^Refund / })).toContainText(/−\$/);
  await expect(order).not.toContainText('Estimated');
  await look(desk, 'order-refunded');
});

test('the audit leaves out who opened which page, unless it is asked for', { tag: '@long' }, async ({ desk }) => {
  await openPage(desk, 'Orders');
  await openPage(desk, 'Audit');
  const opened = desk.getByRole('row', { name: /Open a page/ });
  await expect(opened).toHaveCount(0);
  await desk.getByRole('checkbox', { name: 'Show navigation' }).check();
  await expect(opened.first()).toBeVisible();
});

test('after the wheel the first click opens the row under it', { tag: '@long' }, async ({ desk }) => {
  await openPage(desk, 'Orders');
  const orders = desk.getByRole('grid', { name: 'Orders' });
  await expect(orders.getByRole('row').first()).toBeVisible();
  await orders.hover();
  await desk.mouse.wheel(0, 1200);
  await scrolled(orders, 1000);
  const { x, y, text } = await orders.evaluate((element) => {
    const { left, top } = element.getBoundingClientRect();
    const point = { x: left + 200, y: top + 200 };
    const row = document.elementFromPoint(point.x, point.y)?.closest('[role=row]');
    return { ...point, text: row?.textContent ?? '' };
  });
  await desk.mouse.click(x, y);
  const id = text.match(/#W\d{7}/)?.[0];
  await expect(desk.getByRole('heading', { level: 1, name: `Order ${id}` })).toBeVisible();
});

test('the window fits a small screen', { tag: '@long' }, async ({ desk }) => {
  await desk.setViewportSize({ width: 1024, height: 700 });
  await desk.keyboard.press('Control+J');
  await expect(desk.getByRole('region', { name: 'Conversation' })).toBeVisible();
  await desk.screenshot({ path: 'test-results/small.png' });
  const overflow = await desk.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});

test('a page that is left stays as it was, and what lay over it takes no keys elsewhere', { tag: '@long' }, async ({
  desk,
}) => {
  test.skip(!real, 'somebody else leads away from a dialog: the real application');
  await expect(desk.getByLabel('Search orders'), 'the pages are drawn ahead').toBeAttached();
  await openPage(desk, 'Customers');
  const list = desk.getByRole('grid', { name: 'Customers' });
  await expect(list.getByRole('row').first(), 'the arrow leads into a list that is there').toBeVisible();
  await desk.getByRole('searchbox', { name: 'Search customers' }).press('ArrowDown');
  await desk.keyboard.press('PageDown');
  const row = list.locator('[data-active]');
  await expect(row).toBeVisible();
  const name = await row.textContent();
  await desk.getByRole('button', { name: 'Add a customer' }).click();
  await expect(desk.getByRole('dialog')).toBeVisible();
  await invoke(desk, 'navigation.go', { page: 'orders' });
  await expect(desk.getByRole('heading', { name: 'Orders', level: 1 })).toBeVisible();
  await expect(desk.getByRole('dialog')).toHaveCount(0);
  await desk.keyboard.press('/');
  await expect(desk.getByRole('searchbox', { name: 'Search orders' })).toBeFocused();
  await openPage(desk, 'Customers');
  await expect(desk.getByRole('dialog'), 'the form that was begun is there again').toBeVisible();
  await desk.keyboard.press('Escape');
  await expect(desk.getByRole('dialog')).toHaveCount(0);
  await expect(row, 'the cursor stands where it stood').toHaveText(name ?? '');
  await openPage(desk, 'Counter');
  await expect(desk.getByRole('combobox', { name: 'Search products' })).toBeFocused();
});
