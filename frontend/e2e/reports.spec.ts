import { expect } from '@playwright/test';
import { openPage, real, test } from './desk';
import { look } from './look';

test.skip(!real, 'reports are the real shop’s');

test('sales, what sells and what runs out', async ({ desk }) => {
  await openPage(desk, 'Reports');
  const sales = desk.getByRole('region', { name: 'Sales' });
  await desk.getByRole('combobox', { name: 'Period' }).click();
  await desk.getByRole('option', { name: 'Last year' }).click();
  await expect(desk.getByRole('radio', { name: 'By month' })).toBeChecked();
  await expect(sales.getByRole('row', { name: /^Dec 25/ })).toContainText('$');
  const chart = sales.getByRole('img', { name: /^Total sales: / });
  await expect(chart).toContainText('Jan 25');
  const { width, height } = (await chart.boundingBox()) ?? { width: 0, height: 0 };
  await chart.hover({ position: { x: width - 10, y: height - 10 } });
  await expect(chart, 'the bar that is pointed at says what it stands for').toContainText(/Dec 1.*2025.*\$/);
  await look(desk, 'report-sales');

  await desk.getByRole('tab', { name: 'Top products' }).click();
  await expect(desk.getByRole('region', { name: 'Top products' }).getByRole('row').nth(1)).toContainText('$');
  await look(desk, 'report-products');

  await desk.getByRole('tab', { name: 'Low stock' }).click();
  const low = desk.getByRole('grid', { name: 'Low stock' }).getByRole('row');
  await expect(low.first()).toBeVisible();
  await desk.getByRole('textbox', { name: 'So many pieces or fewer' }).fill('0');
  await expect(desk.getByText('There is enough of everything').or(low.first())).toBeVisible();
  await desk.getByRole('textbox', { name: 'So many pieces or fewer' }).fill('40');
  await expect.poll(() => low.count()).toBeGreaterThan(3);
  await look(desk, 'report-stock');
  await low.first().click();
  await expect(desk.getByRole('region', { name: 'Product' })).toBeVisible();
});

test('a report is about the days that are chosen, and is written to a file', async ({ desk }) => {
  await desk.setViewportSize({ width: 1024, height: 700 });
  await openPage(desk, 'Reports');
  await desk.getByRole('tab', { name: 'Sales' }).click();
  await desk.getByRole('combobox', { name: 'Period' }).click();
  await desk.getByRole('option', { name: 'This week' }).click();
  await desk.getByRole('radiogroup', { name: 'Steps' }).getByText('By week').click();
  const rows = desk.getByRole('region', { name: 'In figures' }).getByRole('row');
  await expect(rows).toHaveCount(3);
  await desk.getByRole('button', { name: 'Export' }).click();
  await desk.getByRole('menuitem', { name: /CSV/ }).click();
  await expect(desk.getByRole('status').filter({ hasText: '.csv' })).toContainText('written to');
});
