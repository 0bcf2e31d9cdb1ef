import { expect } from '@playwright/test';
import { openPage, real, test } from './desk';
import { look } from './look';

test.skip(!real, 'reports are the real shop’s');

test('sales, what sells and what runs out', async ({ desk }) => {
  await openPage(desk, 'Reports');
  await desk.getByRole('tab', { name: 'Sales' }).click();
  const sales = desk.getByRole('region', { name: 'Sales' });
  await desk.getByRole('combobox', { name: 'Period' }).click();
  await desk.getByRole('option', { name: 'Last year' }).click();
  await expect(desk.getByRole('combobox', { name: 'Rows' })).toHaveValue('By month');
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

test('a report is about the days that are chosen, and is written to a file', { tag: '@long' }, async ({ desk }) => {
  await desk.setViewportSize({ width: 1024, height: 700 });
  await openPage(desk, 'Reports');
  await desk.getByRole('tab', { name: 'Sales' }).click();
  await desk.getByRole('combobox', { name: 'Period' }).click();
  await desk.getByRole('option', { name: 'This week' }).click();
  await desk.getByRole('combobox', { name: 'Rows' }).click();
  await desk.getByRole('option', { name: 'By week' }).click();
  const rows = desk.getByRole('region', { name: 'In figures' }).getByRole('row');
  await expect(rows).toHaveCount(3);
  await desk.getByRole('button', { name: 'Export' }).click();
  await desk.getByRole('menuitem', { name: /CSV/ }).click();
  await expect(desk.getByRole('status').filter({ hasText: '.csv' })).toContainText('written to');
});

test('the day leads to what waits', { tag: '@long' }, async ({ desk }) => {
  await openPage(desk, 'Today');
  const waiting = desk.getByRole('region', { name: 'Orders waiting' });
  await expect(waiting.getByRole('row')).toHaveCount(2);
  await expect(desk.getByRole('region', { name: 'Sales so far' })).toContainText(/Total sales|Nothing was sold yet/);
  await look(desk, 'today');
  await waiting.getByRole('button', { name: 'Pending' }).click();
  await expect(desk.getByRole('radiogroup', { name: 'Status' }).getByRole('radio', { name: 'Pending' })).toBeChecked();
  await expect(desk.getByRole('grid', { name: 'Orders' }).getByRole('row').first()).toContainText('Pending');

  await openPage(desk, 'Today');
  const oldest = waiting.getByRole('button', { name: /^#W/ }).first();
  const number = (await oldest.textContent()) ?? '';
  await oldest.click();
  await expect(desk.getByRole('heading', { level: 1, name: number })).toBeVisible();

  await openPage(desk, 'Today');
  await desk.getByRole('region', { name: 'Low stock' }).getByRole('button').click();
  await expect(desk.getByRole('tab', { name: 'Low stock' })).toHaveAttribute('aria-selected', 'true');
});

test('payments by method, returns by reason, sales by tax rate beside the year before', { tag: '@long' }, async ({
  desk,
}) => {
  await openPage(desk, 'Reports');
  await desk.getByRole('tab', { name: 'Payments' }).click();
  await desk.getByRole('combobox', { name: 'Period' }).click();
  await desk.getByRole('option', { name: 'Last year' }).click();
  const payments = desk.getByRole('region', { name: 'Payments' });
  await expect(payments.getByRole('row', { name: /^Card/ })).toContainText('$');
  await look(desk, 'report-payments');
  await desk.getByRole('button', { name: 'Export' }).click();
  await desk.getByRole('menuitem', { name: /CSV/ }).click();
  await expect(desk.getByRole('status').filter({ hasText: '.csv' })).toContainText('written to');

  await desk.getByRole('tab', { name: 'Returns' }).click();
  await expect(
    desk.getByText('Nothing came back in these days').or(desk.getByRole('columnheader', { name: 'Reason' })),
  ).toBeVisible();
  await look(desk, 'report-returns');

  await desk.getByRole('tab', { name: 'Sales' }).click();
  await desk.getByRole('combobox', { name: 'Rows' }).click();
  await desk.getByRole('option', { name: 'By tax rate' }).click();
  const figures = desk.getByRole('region', { name: 'In figures' });
  await expect(figures.getByRole('row', { name: /^Shipping/ })).toContainText('$');
  await expect(figures.getByRole('row', { name: /^5.5%/ })).toContainText('$');
  await desk.getByRole('combobox', { name: 'Comparison' }).click();
  await desk.getByRole('option', { name: 'With the year before' }).click();
  const totals = desk.getByRole('table', { name: 'Totals' });
  await expect(totals.getByRole('columnheader')).toHaveText([
    'Jan 1 – Dec 31, 2025',
    'Jan 1 – Dec 31, 2024',
    'Difference',
  ]);
  await expect(figures.getByRole('columnheader').last()).toHaveText('Difference');
  await look(desk, 'report-compared');
  await desk.getByRole('tab', { name: 'Payments' }).click();
  await expect(desk.getByRole('columnheader', { name: 'Before' })).toBeVisible();
  await look(desk, 'report-payments-compared');
  await desk.getByRole('tab', { name: 'Top products' }).click();
  await expect(desk.getByRole('columnheader', { name: 'Difference' })).toBeVisible();
});
