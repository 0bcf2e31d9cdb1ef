import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { openPage, test } from './desk';

async function expectAccessible(page: Page, what: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
  expect(found, what).toEqual([]);
}

for (const theme of ['light', 'dark'] as const) {
  test(`every page can be used by everybody, ${theme}`, async ({ desk }) => {
    const root = desk.locator('html');
    if ((await root.getAttribute('data-mantine-color-scheme')) !== theme) {
      await desk.getByRole('button', { name: /light and dark/i }).click();
      await expect(root).toHaveAttribute('data-mantine-color-scheme', theme);
    }
    const shot = (name: string) => desk.screenshot({ path: `test-results/${name}-${theme}.png` });

    await expect(desk.getByRole('option').first()).toBeVisible();
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
