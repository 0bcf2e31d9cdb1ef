import { expect } from '@playwright/test';
import { expectAccessible, inTheme } from './axe';
import { chooseCustomer, emptyCart, openPage, putGuji, test } from './desk';

for (const theme of ['light', 'dark'] as const) {
  test(`every page can be used by everybody, ${theme}`, async ({ desk }) => {
    test.slow();
    await inTheme(desk, theme);
    const shot = (name: string) => desk.screenshot({ path: `test-results/${name}-${theme}.png` });

    await chooseCustomer(desk, 'Ana Ruiz');
    await emptyCart(desk);
    await putGuji(desk);
    await shot('counter');
    await expectAccessible(desk, 'Counter');

    await openPage(desk, 'Orders');
    const orders = desk.getByRole('listbox', { name: 'Orders' });
    await expect(orders.getByRole('option').first()).toBeVisible();
    await shot('orders');
    await expectAccessible(desk, 'Orders');

    await orders.getByRole('option').first().click();
    await expect(desk.getByRole('region', { name: 'Lines' })).toBeVisible();
    await shot('order');
    await expectAccessible(desk, 'one order');

    await openPage(desk, 'Audit');
    const records = desk.getByRole('listbox', { name: 'Records' });
    await expect(records.getByRole('option').first()).toBeVisible();
    await desk.getByRole('button', { name: 'Verify' }).click();
    await expect(desk.getByRole('status').filter({ hasText: 'as they were written' })).toBeVisible();
    await shot('audit');
    await expectAccessible(desk, 'Audit');

    await records.getByRole('option').first().click();
    await expect(desk.getByRole('region', { name: 'Steps' })).toBeVisible();
    await shot('trace');
    await expectAccessible(desk, 'one trace');

    await desk.keyboard.press('Control+J');
    await expect(desk.getByRole('region', { name: 'Conversation' })).toBeVisible();
    await shot('chat');
    await expectAccessible(desk, 'the conversation');

    await desk.keyboard.press('Control+K');
    await expect(desk.getByRole('combobox', { name: 'Find an action' })).toBeFocused();
    await shot('palette');
    await expectAccessible(desk, 'the palette');
    await desk.keyboard.type('cart.addItem');
    await desk.keyboard.press('Enter');
    await expect(desk.getByRole('dialog').getByRole('combobox').first()).toBeVisible();
    await shot('form');
    await expectAccessible(desk, 'a form of the palette');
  });
}

test('an action that is not possible says why', async ({ desk }) => {
  await openPage(desk, 'Orders');
  await desk.getByRole('radiogroup', { name: 'Status' }).getByText('Delivered').click();
  await desk
    .getByRole('listbox', { name: 'Orders' })
    .getByRole('option', { name: /Delivered/ })
    .first()
    .click();
  const cancel = desk.getByRole('button', { name: /^Cancel order/ });
  await expect(cancel).toHaveAttribute('aria-disabled', 'true');
  await expect(cancel).toHaveAccessibleDescription(/delivered/i);
});

for (const theme of ['light', 'dark'] as const) {
  test(`a confirmation can be used by everybody, ${theme}`, async ({ desk }) => {
    await inTheme(desk, theme);
    await chooseCustomer(desk, 'Ana Ruiz');
    await emptyCart(desk);
    await putGuji(desk);
    await desk.keyboard.press('Control+J');
    await desk.getByRole('textbox', { name: 'Message to the assistant' }).fill('Submit my order to my home address.');
    await desk.keyboard.press('Enter');
    const card = desk.getByRole('article', { name: /Ana Ruiz/ });
    await expect(card.getByRole('button', { name: 'Deny' })).toBeFocused();
    await desk.screenshot({ path: `test-results/card-${theme}.png` });
    await expect(card).not.toContainText(/\b(fold|mara_lindqvist|pm_\w+|adr_\w+)\b/);
    await expectAccessible(desk, 'a confirmation');
    await card.getByRole('button', { name: 'Deny' }).click();
    await expect(card).toHaveCount(0);
  });
}

test('the filter of the orders is kept', async ({ desk }) => {
  await openPage(desk, 'Orders');
  const delivered = desk.getByRole('radiogroup', { name: 'Status' }).getByRole('radio', { name: 'Delivered' });
  await desk.getByRole('radiogroup', { name: 'Status' }).getByText('Delivered').click();
  await desk
    .getByRole('option', { name: /Delivered/ })
    .first()
    .click();
  await desk.getByRole('button', { name: 'All orders' }).click();
  await expect(delivered).toBeChecked();
});

test('a refund is named and negative, and nothing cancelled is on its way', async ({ desk }) => {
  await openPage(desk, 'Orders');
  await desk
    .getByRole('option', { name: /Pending/ })
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
  await expect(order.getByRole('row', { name: /Refund/ })).toContainText(/−\$/);
  await expect(order).not.toContainText('Estimated');
  await desk.screenshot({ path: 'test-results/refund.png' });
});

test('the audit leaves out who opened which page, unless it is asked for', async ({ desk }) => {
  await openPage(desk, 'Orders');
  await openPage(desk, 'Audit');
  const opened = desk.getByRole('option', { name: /Open a page/ });
  await expect(opened).toHaveCount(0);
  await desk.getByRole('checkbox', { name: 'Show navigation' }).check();
  await expect(opened.first()).toBeVisible();
});

test('after the wheel the first click opens the row under it', async ({ desk }) => {
  await openPage(desk, 'Orders');
  const orders = desk.getByRole('listbox', { name: 'Orders' });
  await expect(orders.getByRole('option').first()).toBeVisible();
  await orders.hover();
  await desk.mouse.wheel(0, 1200);
  await expect.poll(() => orders.evaluate((element) => element.scrollTop)).toBeGreaterThan(1000);
  const { x, y, text } = await orders.evaluate((element) => {
    const { left, top } = element.getBoundingClientRect();
    const point = { x: left + 200, y: top + 200 };
    const row = document.elementFromPoint(point.x, point.y)?.closest('[role=option]');
    return { ...point, text: row?.textContent ?? '' };
  });
  await desk.mouse.click(x, y);
  const id = text.match(/#W\d{7}/)?.[0];
  await expect(desk.getByRole('heading', { level: 1, name: `Order ${id}` })).toBeVisible();
});

test('the window fits a small screen', async ({ desk }) => {
  await desk.setViewportSize({ width: 1024, height: 700 });
  await desk.keyboard.press('Control+J');
  await expect(desk.getByRole('region', { name: 'Conversation' })).toBeVisible();
  await desk.screenshot({ path: 'test-results/small.png' });
  const overflow = await desk.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});
