import { expect } from '@playwright/test';
import { expectAccessible, inTheme } from './axe';
import { openPage, real, test } from './desk';

test.skip(!real, 'reports are the real shop’s');

for (const theme of ['light', 'dark'] as const) {
  test(`sales, what sells and what runs out, ${theme}`, async ({ desk }) => {
    test.slow();
    await inTheme(desk, theme);
    await desk.setViewportSize(theme === 'dark' ? { width: 1920, height: 1080 } : { width: 1440, height: 900 });
    await openPage(desk, 'Reports');
    const sales = desk.getByRole('region', { name: 'Sales' });
    await desk.getByRole('combobox', { name: 'Period' }).click();
    await desk.getByRole('option', { name: 'Last year' }).click();
    await expect(desk.getByRole('radio', { name: 'By month' })).toBeChecked();
    await expect(sales.getByRole('row', { name: /^Dec 25/ })).toContainText('$');
    await expect(
      sales
        .getByRole('img', { name: /^Net sales: / })
        .locator('svg')
        .first(),
    ).toBeVisible();
    await desk.screenshot({ path: `test-results/report-sales-${theme}.png` });
    await expectAccessible(desk, 'the sales');

    await desk.getByRole('tab', { name: 'Top products' }).click();
    await expect(desk.getByRole('region', { name: 'Top products' }).getByRole('row').nth(1)).toContainText('$');
    await desk.screenshot({ path: `test-results/report-products-${theme}.png` });
    await expectAccessible(desk, 'what sells');

    await desk.getByRole('tab', { name: 'Low stock' }).click();
    const low = desk.getByRole('listbox', { name: 'Low stock' }).getByRole('option');
    await expect(low.first()).toBeVisible();
    await desk.getByRole('textbox', { name: 'So many pieces or fewer' }).fill('0');
    await expect(desk.getByText('There is enough of everything').or(low.first())).toBeVisible();
    await desk.getByRole('textbox', { name: 'So many pieces or fewer' }).fill('40');
    await expect.poll(() => low.count()).toBeGreaterThan(3);
    await desk.screenshot({ path: `test-results/report-stock-${theme}.png` });
    await expectAccessible(desk, 'what runs out');
    await low.first().click();
    await expect(desk.getByRole('region', { name: 'Product' })).toBeVisible();
  });
}

test('a report is about the days that are chosen, and is written to a file', async ({ desk }) => {
  await desk.setViewportSize({ width: 1024, height: 700 });
  await openPage(desk, 'Reports');
  await desk.getByRole('tab', { name: 'Sales' }).click();
  await desk.getByRole('combobox', { name: 'Period' }).click();
  await desk.getByRole('option', { name: 'This week' }).click();
  await desk.getByRole('radiogroup', { name: 'Steps' }).getByText('By week').click();
  const rows = desk.getByRole('region', { name: 'In figures' }).getByRole('row');
  await expect(rows).toHaveCount(3);
  await desk.screenshot({ path: 'test-results/report-small.png' });
  expect(await desk.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  await desk.getByRole('button', { name: 'Export' }).click();
  await desk.getByRole('menuitem', { name: /CSV/ }).click();
  await expect(desk.getByRole('status').filter({ hasText: '.csv' })).toContainText('written to');
});
